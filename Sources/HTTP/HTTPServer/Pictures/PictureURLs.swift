package import HTTPSemantics

/// The URLs of this server's pictures under the current policy, for resources that refer to pictures without serving
/// them.
package protocol PictureURLs: Sendable {
    /// Increases whenever the policy, and with it the URLs, changes.
    var generation: UInt64 { get }

    /// The value of `Accept-CH` (RFC 8942); `nil` if client hints have no effect.
    var acceptedHints: String? { get }

    /// The badges that URLs of posters may have.
    var badgeChoices: BadgeChoices { get }

    /// Returns the known data of a poster, without I/O or waiting.
    ///
    /// - Parameters:
    ///   - size: Size of the original in pixels, as stated by its source in the id's language; `nil` if unknown.
    ///   - widths: The widths in ``PosterObject/srcset``.
    ///   - badges: The badges in its URLs; `nil` for none. Only films' posters have badges of scores.
    ///   - isMissing: Whether its source is known to have none; evaluated only if nothing else is known of the poster.
    /// - Returns: `nil` if the poster is known to be missing.
    /// - Throws: ``Problem`` if its URLs cannot be signed.
    func poster(
        _ id: PictureID, size: (width: Int, height: Int)?, widths: PictureWidths, badges: PictureBadges?,
        isMissing: @autoclosure () -> Bool
    ) throws(Problem) -> PosterObject?

    /// Returns the URL of a picture's smallest variant of at least `width` pixels.
    ///
    /// - Parameter badges: As in ``poster(_:size:widths:badges:isMissing:)``.
    func picture(_ id: PictureID, width: Int, badges: PictureBadges?) throws(Problem) -> String

    /// Returns the known data of a picture of a gallery, without I/O or waiting.
    ///
    /// - Parameters:
    ///   - size: Size of the original in pixels, as stated by its source; `nil` if unknown.
    ///   - width: Maximum width of ``PosterObject/url``, in pixels.
    ///   - widths: The widths in ``PosterObject/srcset``.
    func picture(
        _ id: PictureID, size: (width: Int, height: Int)?, width: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject

    /// Returns the known data of The Movie Database's picture, as above; `nil` if its image paths are not served.
    ///
    /// - Parameters:
    ///   - widest: Maximum width in ``PosterObject/srcset``, in pixels.
    ///   - widths: `page` adds the ``PosterObject/gradient``; the widths are always the image paths' own.
    func tmdbImage(
        _ file: String, size: (width: Int, height: Int)?, width: Int, widest: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject?

    /// Returns the known data of a YouTube video's thumbnail, without I/O or waiting; `nil` if thumbnails are not
    /// served.
    func videoThumbnail(_ key: String) throws(Problem) -> PosterObject?

    /// Returns the path and query of a picture at another host, signed if there are keys; `nil` if this server does not
    /// serve it.
    ///
    /// - Parameter side: Side of the square that it is cropped to, in pixels; `nil` leaves it uncropped.
    func remotePicture(_ url: String, side: Int?) -> String?
}

extension PictureURLs {
    package func remotePicture(_ url: String, side: Int?) -> String? { nil }

    package func poster(
        _ id: PictureID, size: (width: Int, height: Int)?, isMissing: @autoclosure () -> Bool
    ) throws(Problem) -> PosterObject? {
        try self.poster(id, size: size, widths: .standard, isMissing: isMissing())
    }

    package func poster(
        _ id: PictureID, size: (width: Int, height: Int)?, widths: PictureWidths, isMissing: @autoclosure () -> Bool
    ) throws(Problem) -> PosterObject? {
        try self.poster(id, size: size, widths: widths, badges: nil, isMissing: isMissing())
    }

    package func picture(_ id: PictureID, width: Int) throws(Problem) -> String {
        try self.picture(id, width: width, badges: nil)
    }

    package func picture(
        _ id: PictureID, size: (width: Int, height: Int)?, width: Int
    ) throws(Problem) -> PosterObject {
        try self.picture(id, size: size, width: width, widths: .standard)
    }
}

/// The widths of a `srcset`, unless the policy has its own.
package enum PictureWidths: Sendable {
    /// The widths of The Movie Database's paths, for programs.
    case standard
    /// The widths that the service's pages show at usual pixel densities, with the ``PosterObject/gradient``. A
    /// poster of a known language that fails is replaced by the film's title card.
    case page

    /// Widths in pixels, ascending.
    package var pixels: [Int] {
        switch self {
        case .standard: [92, 154, 185, 342, 500, 780]
        case .page: [120, 160, 240, 342, 500, 780]
        }
    }
}

/// A picture's source and its key there.
package struct PictureID: Hashable, Sendable {
    package let source, key: String
    /// ISO 639 code of the preferred language, if the source has several; `nil` means the server's.
    package let language: String?

    package init(source: String, key: String, language: String? = nil) {
        (self.source, self.key, self.language) = (source, key, language)
    }
}

/// A poster or another picture within other data: URLs, and the data of a placeholder.
package struct PosterObject: Encodable, Hashable, Sendable {
    /// URL for clients without `srcset`.
    package let url: String
    /// URLs with their widths, for the HTML attribute of this name.
    package let srcset: String
    /// Size of the original as displayed, in pixels; `nil` if unknown.
    package let width, height: Int?
    /// The dominant colour, as `#rrggbb`; `nil` if unknown.
    package var color: String?
    /// The ThumbHash in Base64; `nil` if unknown.
    package var thumbhash: String?
    /// Three colours from the top of the picture, as `#rrggbb`; `nil` if unknown, and for programs.
    package var gradient: [String]?

    private enum CodingKeys: String, CodingKey {
        case url, srcset, width, height, color, thumbhash
    }

    package init(url: String, srcset: String, width: Int?, height: Int?) {
        (self.url, self.srcset, self.width, self.height) = (url, srcset, width, height)
    }
}

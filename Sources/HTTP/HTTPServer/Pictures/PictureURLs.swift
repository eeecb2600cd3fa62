package import HTTPSemantics

/// The URLs of this server's pictures under the policy in force, for resources that refer to pictures without serving them.
package protocol PictureURLs: Sendable {
    /// Increases whenever the policy changes, and with it the URLs.
    var generation: UInt64 { get }

    /// The value of `Accept-CH` (RFC 8942); nil when client hints have no effect.
    var acceptedHints: String? { get }

    /// The narrowest width that is served of at least `width` pixels, or the widest one.
    func width(atLeast width: Int) -> Int

    /// What is known of a poster without I/O or waiting.
    ///
    /// - Parameters:
    ///   - size: Of the original in pixels, as its source states it in the id's language; nil when unknown.
    ///   - widths: Those in ``PosterObject/srcset``.
    ///   - isMissing: Whether its source is known to have none; read only when nothing else is known of the poster.
    /// - Returns: nil when it is known that there is none.
    /// - Throws: ``Problem``, when its URLs cannot be signed.
    func poster(
        _ id: PictureID, size: (width: Int, height: Int)?, widths: PictureWidths, isMissing: @autoclosure () -> Bool
    ) throws(Problem) -> PosterObject?

    /// The URL of a picture as the narrowest variant of at least `width` pixels.
    func picture(_ id: PictureID, width: Int) throws(Problem) -> String

    /// What is known of a picture of a gallery without I/O or waiting.
    ///
    /// - Parameters:
    ///   - size: Of the original in pixels, as its source states it; nil when unknown.
    ///   - width: ``PosterObject/url`` is the widest of at most so many pixels.
    ///   - widths: Those in ``PosterObject/srcset``.
    func picture(
        _ id: PictureID, size: (width: Int, height: Int)?, width: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject

    /// What is known of a picture of The Movie Database, as above; nil when its image paths are not served.
    ///
    /// - Parameters:
    ///   - widest: The largest width in ``PosterObject/srcset``, in pixels.
    ///   - widths: `page` adds the ``PosterObject/gradient``; the widths are those of the paths.
    func tmdbImage(
        _ file: String, size: (width: Int, height: Int)?, width: Int, widest: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject?

    /// What is known of the thumbnail of a video at YouTube without I/O or waiting; nil when thumbnails are not served.
    ///
    /// - Parameter key: The video's.
    func videoThumbnail(_ key: String) throws(Problem) -> PosterObject?

    /// Adds a signature to a picture's path and query where the policy requires one.
    func signed(_ target: String) -> String

    /// The path and query of a picture at another host, with a signature where there are keys; nil when this server makes none of
    /// it.
    ///
    /// - Parameters:
    ///   - url: Its own.
    ///   - side: Of the square that it is cut to, in pixels; nil for the picture as it is.
    func remotePicture(_ url: String, side: Int?) -> String?
}

extension PictureURLs {
    package func remotePicture(_ url: String, side: Int?) -> String? { nil }

    package func poster(
        _ id: PictureID, size: (width: Int, height: Int)?, isMissing: @autoclosure () -> Bool
    ) throws(Problem) -> PosterObject? {
        try self.poster(id, size: size, widths: .standard, isMissing: isMissing())
    }

    package func picture(
        _ id: PictureID, size: (width: Int, height: Int)?, width: Int
    ) throws(Problem) -> PosterObject {
        try self.picture(id, size: size, width: width, widths: .standard)
    }

    package func tmdbImage(
        _ file: String, size: (width: Int, height: Int)?, width: Int, widest: Int
    ) throws(Problem) -> PosterObject? {
        try self.tmdbImage(file, size: size, width: width, widest: widest, widths: .standard)
    }
}

/// The widths of a `srcset` where the policy has none of its own.
package enum PictureWidths: Sendable {
    /// Those of The Movie Database's paths, for programs.
    case standard
    /// Those that our own pages show on screens of usual densities, with the ``PosterObject/gradient``.
    case page

    /// In pixels, ascending.
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
    /// The ISO 639 code of the language that the picture should be in, where its source has several; nil for the server's.
    package let language: String?

    package init(source: String, key: String, language: String? = nil) {
        (self.source, self.key, self.language) = (source, key, language)
    }
}

/// A poster or another picture beside other data: URLs, and what a placeholder needs.
package struct PosterObject: Encodable, Hashable, Sendable {
    /// For clients without `srcset`.
    package let url: String
    /// URLs and their widths, for the attribute of this name.
    package let srcset: String
    /// Of the original as shown, in pixels; nil when unknown.
    package let width, height: Int?
    /// The dominant colour, as `#rrggbb`; nil when unknown.
    package var color: String?
    /// In Base64; nil when unknown.
    package var thumbhash: String?
    /// Three colours from the top of the picture, as `#rrggbb`; nil when unknown, and where a program asked.
    package var gradient: [String]?

    private enum CodingKeys: String, CodingKey {
        case url, srcset, width, height, color, thumbhash
    }

    package init(url: String, srcset: String, width: Int?, height: Int?) {
        (self.url, self.srcset, self.width, self.height) = (url, srcset, width, height)
    }
}

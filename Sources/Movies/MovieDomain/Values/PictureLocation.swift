/// The location of a picture's original.
package enum PictureLocation: Hashable, Sendable {
    /// Packaged with the program: a file name, and a version that changes with its bytes.
    case packaged(file: String, version: String)
    /// An absolute URL of the largest size that its owner offers.
    case web(url: String)
    /// A picture of The Movie Database, by its file name without a slash.
    case tmdb(file: String)
}

/// The size of a picture.
package struct PictureSize: Hashable, Sendable {
    /// The sides that are believed; products of two do not overflow.
    private static let sides = 1...1_000_000

    /// In pixels, 1 to 1,000,000.
    package let width, height: Int

    /// - Returns: nil with a side that is unknown or out of range.
    package init?(width: Int?, height: Int?) {
        guard let width, let height, Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        self.width = width
        self.height = height
    }
}

/// The location of a poster, and its size if its source states it.
package struct PosterReference: Hashable, Sendable {
    package let location: PictureLocation
    /// The size in pixels; nil when unknown.
    package let size: PictureSize?

    package init(_ location: PictureLocation, size: PictureSize? = nil) {
        self.location = location
        self.size = size
    }
}

/// A picture shown beside a poster.
package struct GalleryPicture: Hashable, Sendable {
    /// The kind of picture.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case still
        case backdrop
        case poster
        case screenshot
        /// The title as it is drawn, without background.
        case logo
    }

    package let kind: Kind
    package let location: PictureLocation
    /// nil when unknown.
    package let size: PictureSize?

    package init(kind: Kind, location: PictureLocation, size: PictureSize? = nil) {
        self.kind = kind
        self.location = location
        self.size = size
    }
}

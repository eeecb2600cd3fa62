/// The location of a picture's original.
package enum PictureLocation: Hashable, Sendable {
    /// A picture packaged with the program: a file name, and a version that changes with the file's bytes.
    case packaged(file: String, version: String)
    /// An absolute URL of the largest available size.
    case web(url: String)
    /// A picture of The Movie Database, by its file name without a slash.
    case tmdb(file: String)
}

package struct PictureSize: Hashable, Sendable {
    /// The accepted sides; products of two do not overflow.
    private static let sides = 1...1_000_000

    /// In pixels, 1 to 1,000,000.
    package let width, height: Int

    /// - Returns: `nil` if a side is unknown or out of range.
    package init?(width: Int?, height: Int?) {
        guard let width, let height, Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        self.width = width
        self.height = height
    }
}

/// The location of a poster, and its size if the source states it.
package struct PosterReference: Hashable, Sendable {
    package let location: PictureLocation
    package let size: PictureSize?

    package init(_ location: PictureLocation, size: PictureSize? = nil) {
        self.location = location
        self.size = size
    }
}

/// A picture of a gallery.
package struct GalleryPicture: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case still
        case backdrop
        case poster
        case screenshot
        /// The drawn title, without background.
        case logo
    }

    package let kind: Kind
    package let location: PictureLocation
    package let size: PictureSize?

    package init(kind: Kind, location: PictureLocation, size: PictureSize? = nil) {
        self.kind = kind
        self.location = location
        self.size = size
    }
}

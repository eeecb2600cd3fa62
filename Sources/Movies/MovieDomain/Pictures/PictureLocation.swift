/// Where the original of a picture is.
public enum PictureLocation: Hashable, Sendable {
    /// Packaged with the program: a file's name, and what changes whenever its bytes do.
    case packaged(file: String, version: String)
    /// An absolute URL; the largest that its owner offers.
    case web(url: String)
    /// A picture of The Movie Database, by its file's name without a slash.
    case tmdb(file: String)
}

/// The sides of a picture.
public struct PictureSize: Hashable, Sendable {
    /// In pixels, at least 1.
    public let width, height: Int

    /// - Returns: nil with a side below one pixel.
    public init?(width: Int, height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }
}

/// Where a poster is, and what is known of it without looking.
public struct PosterReference: Hashable, Sendable {
    /// Where it is.
    public let location: PictureLocation
    /// In pixels; nil when unknown.
    public let size: PictureSize?

    /// A poster at a place.
    public init(_ location: PictureLocation, size: PictureSize? = nil) {
        self.location = location
        self.size = size
    }
}

/// A picture that is shown beside a poster.
public struct GalleryPicture: Hashable, Sendable {
    /// What it shows.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case still
        case backdrop
        case poster
        case screenshot
    }

    /// What it is about.
    public let kind: Kind
    /// Where it is.
    public let location: PictureLocation
    /// nil when unknown.
    public let size: PictureSize?

    /// A picture at a place.
    public init(kind: Kind, location: PictureLocation, size: PictureSize? = nil) {
        self.kind = kind
        self.location = location
        self.size = size
    }
}

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

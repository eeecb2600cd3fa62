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

/// A picture that may be a film's poster, as somebody other than the film's own source offers it.
public struct PosterCandidate: Hashable, Sendable {
    /// Who offers it.
    public let source: MovieSource
    /// Where it is.
    public let location: PictureLocation
    /// What the film is called there; empty when there are only pictures there.
    public let title: String
    /// And in its own language; empty when that is not known.
    public let originalTitle: String
    /// Of the film there; nil when unknown.
    public let year: Int?
    /// As the source says; nil when it does not.
    public let size: PictureSize?

    /// A picture that may be a film's poster.
    public init(
        source: MovieSource, location: PictureLocation, title: String, originalTitle: String = "", year: Int?,
        size: PictureSize?
    ) {
        self.source = source
        self.location = location
        self.title = title
        self.originalTitle = originalTitle
        self.year = year
        self.size = size
    }
}

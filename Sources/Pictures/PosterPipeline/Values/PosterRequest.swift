public import PosterCodec

/// A request, independent of any protocol.
public struct PosterRequest: Hashable, Sendable {
    /// The requested pixels.
    public enum Rendition: Hashable, Sendable {
        /// The original's own bytes.
        case original
        /// A picture rendered from the original.
        case variant(RenderTarget)
    }

    /// The id of the poster.
    public let id: PosterID
    /// The requested pixels of the poster.
    public let rendition: Rendition
    /// A target in another format that replaces the variant once it has been encoded; no request waits for it. `nil` if
    /// there is none.
    public let preferred: RenderTarget?

    /// Creates a request for a rendition of a poster.
    public init(id: PosterID, rendition: Rendition, preferred: RenderTarget? = nil) {
        self.id = id
        self.rendition = rendition
        self.preferred = preferred
    }
}

public import PosterCodec

/// What a client asks for, free of any protocol.
public struct PosterRequest: Hashable, Sendable {
    /// Which pixels.
    public enum Rendition: Hashable, Sendable {
        /// The original's own bytes.
        case original
        /// A picture made from it.
        case variant(RenderTarget)
    }

    /// Which poster.
    public let id: PosterID
    /// Which pixels of it.
    public let rendition: Rendition

    /// A request for a rendition of a poster.
    public init(id: PosterID, rendition: Rendition) {
        self.id = id
        self.rendition = rendition
    }
}

package import Flights
package import HTTPSemantics
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

/// A request for a poster, with its urgency and its client's conditions.
package struct PosterQuery: Sendable {
    package let request: PosterRequest
    package let level: Urgency.Level
    private let conditions: Preconditions

    package init(
        _ request: PosterRequest, level: Urgency.Level = .interactive,
        conditions: Preconditions = Preconditions(ifNoneMatch: nil)
    ) {
        self.request = request
        self.level = level
        self.conditions = conditions
    }

    var isConditional: Bool { self.conditions.areGiven }

    /// Whether the client holds the bytes that `tag` names (RFC 9110, 13.1); false for a request without conditions.
    func isCurrent(_ tag: EntityTag) -> Bool { self.conditions.settles(tag) }
}

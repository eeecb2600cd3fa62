package import Flights
package import HTTPSemantics

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

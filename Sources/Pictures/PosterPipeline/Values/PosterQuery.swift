package import Flights
package import HTTPSemantics

/// A request for a poster, with its urgency and its client's condition.
package struct PosterQuery: Sendable {
    /// Whether the client holds the bytes that a tag names (RFC 9110, 13.1).
    package typealias Condition = @Sendable (EntityTag) -> Bool

    package let request: PosterRequest
    package let level: Urgency.Level
    /// `nil` for a request without conditions.
    private let condition: Condition?

    /// - Parameter condition: `nil` for a request without conditions.
    package init(_ request: PosterRequest, level: Urgency.Level = .interactive, condition: Condition? = nil) {
        self.request = request
        self.level = level
        self.condition = condition
    }

    var isConditional: Bool { self.condition != nil }

    /// Whether the client holds the bytes that `tag` names; false for a request without conditions.
    func isCurrent(_ tag: EntityTag) -> Bool { self.condition?(tag) ?? false }
}

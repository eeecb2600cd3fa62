/// Publishes events of this node's originals to other nodes.
package protocol OriginalEventPublisher: Sendable {
    /// Publishes an event, or stores it durably to be published later. Waits for other systems only up to a deadline.
    /// - Throws: ``PosterError/storageFailed(reason:)`` if neither was possible; `CancellationError`.
    func publish(_ event: OriginalEvent) async throws -> Publication

    /// Publishes an event in the background, as soon as other nodes can be reached.
    func publishLater(_ event: OriginalEvent)
}

/// Applies events of other nodes. All methods are idempotent and may be called in any order.
package protocol OriginalEventSubscriber: Sendable {
    /// Removes this node's copies of an original. Publishes nothing, and leaves the shared store alone.
    /// - Parameter moment: When the event happened, in seconds since 1970, by the other node's clock.
    func apply(_ event: OriginalEvent, at moment: Int64) async throws

    /// Refuses shared copies that are older than an event which was applied earlier.
    func note(_ event: OriginalEvent, at moment: Int64)

    /// Removes all variants of this node, and uses no original unless its origin has confirmed it since `moment`, in
    /// seconds since 1970.
    func distrust(until moment: Int64) async

    /// Uses no original unless its origin has confirmed it since `moment`, which an earlier process passed to
    /// ``distrust(until:)``.
    func requireValidation(since moment: Int64)
}

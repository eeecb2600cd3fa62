/// Tells other nodes what happens to originals on this one.
package protocol OriginalEventPublisher: Sendable {
    /// Publishes an event, or stores it durably, to be published later. Does not wait longer than a deadline for other systems.
    /// - Throws: ``PosterError/storageFailed(reason:)`` when neither was possible; `CancellationError`.
    func publish(_ event: OriginalEvent) async throws -> Publication

    /// Publishes an event in the background; it waits as long as other nodes cannot be reached.
    func publishLater(_ event: OriginalEvent)
}

/// Applies what happened to originals on other nodes. All of it may be applied any number of times, in any order.
package protocol OriginalEventSubscriber: Sendable {
    /// Removes what this node has of an original. Publishes nothing, and leaves alone what nodes share.
    /// - Parameter moment: When it happened, in seconds since 1970, by the other node's clock.
    func apply(_ event: OriginalEvent, at moment: Int64) async throws

    /// Takes from what nodes share nothing that was there before an event that was applied earlier.
    func note(_ event: OriginalEvent, at moment: Int64)

    /// Removes all variants of this node, and uses no original that its origin has not confirmed since `moment`, in seconds
    /// since 1970.
    func distrust(until moment: Int64) async

    /// Uses no original that its origin has not confirmed since `moment`; what a process before this one was told by
    /// ``distrust(until:)``.
    func requireValidation(since moment: Int64)
}

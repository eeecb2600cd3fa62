/// Lets one of the nodes that share a store of originals fetch each of them from its origin.
public protocol FetchLeases: Sendable {
    /// Waits while another node fetches an original, for a bounded time.
    /// - Throws: `CancellationError`.
    func turn(for id: PosterID) async throws -> FetchTurn
}

/// What a node does about an original that its store does not have.
public enum FetchTurn: Sendable {
    /// It fetches the original; with a lease other nodes wait for that.
    case fetch(FetchLease?)
    /// It reads the store again: another node has stored the original meanwhile.
    case stored
}

/// Makes other nodes wait for a fetch until it is ended, or expires.
public struct FetchLease: Sendable {
    private let whenEnded: @Sendable (Bool) -> Void

    /// - Parameter whenEnded: Called with whether the original was fetched; must not block.
    package init(whenEnded: @escaping @Sendable (Bool) -> Void) {
        self.whenEnded = whenEnded
    }

    /// Ends it in the background: at once, or when the original is where other nodes read it.
    package func end(isFetched: Bool) { self.whenEnded(isFetched) }
}

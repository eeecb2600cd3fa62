/// Coordinates nodes that share a store of originals, so that one of them fetches each original from its origin.
public protocol FetchLeases: Sendable {
    /// Waits while another node fetches the original, for a bounded time.
    /// - Throws: `CancellationError`.
    func turn(for id: PosterID, at location: OriginalLocation) async throws -> FetchTurn

    /// Called after a purge: later turns ignore the outcomes of earlier fetches.
    func forgetOutcome(of id: PosterID)
}

/// The next step of a node that lacks an original in its store.
public enum FetchTurn: Sendable {
    /// Fetch the original; with a lease, other nodes wait for the fetch.
    case fetch(FetchLease?)
    /// Read the store again: another node has stored the original meanwhile.
    case stored
    /// Report the error of another node's fetch, which has just ended.
    case failed(PosterError)
}

/// The outcome of a leased fetch.
public enum LeasedFetchOutcome: Hashable, Sendable {
    case fetched
    /// Other nodes may report the error instead of fetching the original themselves.
    case failed(PosterError)
    /// Cancelled, or failed for a reason specific to this node.
    case abandoned
}

/// Makes other nodes wait for a fetch until the lease is ended or expires.
public struct FetchLease: Sendable {
    private let whenEnded: @Sendable (LeasedFetchOutcome) -> Void

    /// - Parameter whenEnded: Must not block.
    package init(whenEnded: @escaping @Sendable (LeasedFetchOutcome) -> Void) {
        self.whenEnded = whenEnded
    }

    /// Ends the lease in the background: at once, or as soon as other nodes can read the original.
    package func end(_ outcome: LeasedFetchOutcome) { self.whenEnded(outcome) }
}

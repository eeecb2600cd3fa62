/// Lets one of the nodes that share a store of originals fetch each of them from its origin.
public protocol FetchLeases: Sendable {
    /// Waits while another node fetches an original, for a bounded time.
    /// - Throws: `CancellationError`.
    func turn(for id: PosterID, at location: OriginalLocation) async throws -> FetchTurn

    /// After a purge: later turns ignore how earlier fetches ended.
    func forgetOutcome(of id: PosterID)
}

/// The next step of a node that does not find an original in its store.
public enum FetchTurn: Sendable {
    /// It fetches the original; with a lease other nodes wait for that.
    case fetch(FetchLease?)
    /// It reads the store again: another node has stored the original meanwhile.
    case stored
    /// It reports the error that the fetch of another node has just ended with.
    case failed(PosterError)
}

/// How a fetch with a lease ended.
public enum LeasedFetchOutcome: Hashable, Sendable {
    case fetched
    /// Other nodes may report the error instead of fetching the original themselves.
    case failed(PosterError)
    /// Cancelled, or failed for a reason of this node.
    case abandoned
}

/// Makes other nodes wait for a fetch until it is ended, or expires.
public struct FetchLease: Sendable {
    private let whenEnded: @Sendable (LeasedFetchOutcome) -> Void

    /// - Parameter whenEnded: Must not block.
    package init(whenEnded: @escaping @Sendable (LeasedFetchOutcome) -> Void) {
        self.whenEnded = whenEnded
    }

    /// Ends it in the background: at once, or when other nodes can read the original.
    package func end(_ outcome: LeasedFetchOutcome) { self.whenEnded(outcome) }
}

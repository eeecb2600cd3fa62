package import Flights

/// Shares the rates of origins among processes, called nodes.
package protocol SharedRates: Sendable {
    /// Charges the next attempts at an origin to the state that all nodes share.
    ///
    /// - Returns: `nil` if the state is unreachable; immediately if that is known.
    /// - Throws: `CancellationError`.
    func lease(_ request: RateRequest) async throws -> RateLease?

    /// This node's share of each rate while the state is unreachable.
    var share: RateShare { get }
}

/// A request for attempts at an origin.
package struct RateRequest: Hashable, Sendable {
    /// The origin's ``OriginState/name``.
    package var origin: String
    /// The limit of all nodes together.
    package var limit: RateLimit
    /// Maximum number of attempts, at least 1.
    package var count: Int
    /// Maximum wait for each attempt, in nanoseconds.
    package var maxWait: UInt64
    /// Lower bound of the theoretical arrival time, in nanoseconds from now: this node's knowledge, in case the state
    /// was lost.
    package var leastArrival: UInt64

    package init(origin: String, limit: RateLimit, count: Int, maxWait: UInt64, leastArrival: UInt64) {
        self.origin = origin
        self.limit = limit
        self.count = count
        self.maxWait = maxWait
        self.leastArrival = leastArrival
    }
}

/// The reply to a ``RateRequest``.
package enum RateLease: Hashable, Sendable {
    /// Grants `count` attempts; the first one's theoretical arrival time is `arrival` nanoseconds from now.
    case granted(count: Int, arrival: UInt64)
    /// Grants none: the first attempt would have to wait for this many nanoseconds.
    case refused(after: UInt64)
}

/// The part of all rates that one node may use without coordination.
package struct RateShare: Hashable, Sendable {
    /// Number of nodes at the last contact, including this one.
    package var nodeCount: Int
    /// Monotonic time of the last contact in nanoseconds; `nil` if there was none.
    package var since: UInt64?

    package init(nodeCount: Int, since: UInt64?) {
        self.nodeCount = nodeCount
        self.since = since
    }
}

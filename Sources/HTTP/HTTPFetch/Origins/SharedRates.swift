package import Flights

/// Shares the rates of origins among processes, which are called nodes.
package protocol SharedRates: Sendable {
    /// Charges the next attempts at an origin to the state that all nodes share.
    ///
    /// - Returns: nil when the state is out of reach, at once when that is known.
    /// - Throws: `CancellationError`.
    func lease(_ request: RateRequest) async throws -> RateLease?

    /// What this node may use of each rate while the state is out of reach.
    var share: RateShare { get }
}

/// Asks for attempts at an origin.
package struct RateRequest: Hashable, Sendable {
    /// The origin's ``OriginState/name``.
    package var origin: String
    /// Of all nodes together.
    package var limit: RateLimit
    /// The most attempts, at least 1.
    package var count: Int
    /// How long the first attempt may have to wait, and each other one, in nanoseconds.
    package var maxWait: UInt64
    /// How far ahead the theoretical arrival time is at least, in nanoseconds: what this node knows, in case the state was lost.
    package var leastArrival: UInt64

    package init(origin: String, limit: RateLimit, count: Int, maxWait: UInt64, leastArrival: UInt64) {
        self.origin = origin
        self.limit = limit
        self.count = count
        self.maxWait = maxWait
        self.leastArrival = leastArrival
    }
}

/// What a ``RateRequest`` got.
package enum RateLease: Hashable, Sendable {
    /// So many attempts, of which the first has its theoretical arrival time in so many nanoseconds.
    case granted(count: Int, arrival: UInt64)
    /// None: the first one would have to wait for so many nanoseconds.
    case refused(after: UInt64)
}

/// The part of all rates that one node may use without the others.
package struct RateShare: Hashable, Sendable {
    /// The nodes at the last contact, of which this is one.
    package var nodeCount: Int
    /// The last contact, in nanoseconds of the monotonic clock; nil when there was none.
    package var since: UInt64?

    package init(nodeCount: Int, since: UInt64?) {
        self.nodeCount = nodeCount
        self.since = since
    }
}

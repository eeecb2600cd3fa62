package import Flights
import Synchronization

/// The origins of recent fetches. Origins in use are pinned; of the others the least recently used is evicted. Not a
/// `BoundedCache`, which cannot pin entries.
///
/// Every operation is O(1), except eviction, which is O(n).
final class OriginTable: Sendable {
    static let maxOrigins = 1024

    private struct Entry {
        let origin: Origin
        var userCount: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Origin.Key: Entry] = [:]
        var useCount: UInt64 = 0

        /// Pins the origin and returns it; `nil` if it is not in the table.
        mutating func use(_ key: Origin.Key) -> Origin? {
            guard let origin = self.entries[key]?.origin else { return nil }
            self.useCount += 1
            self.entries[key]!.userCount += 1
            self.entries[key]!.lastUse = self.useCount
            return origin
        }
    }

    private let maxOrigins: Int
    private let makeOrigin: @Sendable (Origin.Key) -> Origin
    private let state = Mutex(State())

    init(maxOrigins: Int = OriginTable.maxOrigins, makeOrigin: @escaping @Sendable (Origin.Key) -> Origin) {
        self.maxOrigins = maxOrigins
        self.makeOrigin = makeOrigin
    }

    /// States of all origins, the most recently used last.
    var snapshots: [OriginState] {
        let entries = self.state.withLock { Array($0.entries.values) }
        return entries.sorted { $0.lastUse < $1.lastUse }.map(\.origin.snapshot)
    }

    /// Returns the origin with this key, pinned until ``release(_:)``.
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` if the table is full of pinned origins.
    func acquire(_ key: Origin.Key) throws(FetchError) -> Origin {
        if let origin = self.state.withLock({ $0.use(key) }) { return origin }
        // The new origin is created, and the evicted one released, outside the lock.
        let made = self.makeOrigin(key)
        var evicted: Entry?
        defer { withExtendedLifetime(evicted) {} }
        return try self.state.withLock { state throws(FetchError) in
            if let origin = state.use(key) { return origin }
            if state.entries.count >= self.maxOrigins {
                let idle = state.entries.filter { $0.value.userCount == 0 }
                guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
                    throw .overloaded(retryAfter: FetchConfiguration.minRetryAfter)
                }
                evicted = state.entries.removeValue(forKey: oldest.key)
            }
            state.useCount += 1
            state.entries[key] = Entry(origin: made, userCount: 1, lastUse: state.useCount)
            return made
        }
    }

    func release(_ origin: Origin) {
        self.state.withLock { $0.entries[origin.key]?.userCount -= 1 }
    }
}

/// The state of one origin, for metrics and health.
public struct OriginState: Sendable, Hashable {
    /// Counters since the origin's first fetch, or the first one after its eviction from the table.
    public struct Totals: Sendable, Hashable {
        /// Attempts, including retries, not counting redirects.
        package var attempts = 0
        package var retries = 0
        /// Retries that resumed a body.
        package var resumed = 0
        /// Fetches that ended with a response other than a 500, 502, 503 or 504.
        package var successes = 0
        /// Fetches that failed because of the origin: unreachable, too slow, cut off, or a 500, 502, 503 or 504.
        package var failures = 0
    }

    /// For example `https://example.com:443`.
    package var name: String
    package var fetches: WeightedSemaphore.Usage
    package var breaker: CircuitBreaker.State
    /// How much longer `Retry-After` pauses the origin; `nil` if it is not paused.
    package var pause: Duration?
    package var consecutiveFailures: Int
    /// The error of the last failure; `nil` if a fetch has succeeded since, or if the failure was a response (a 500,
    /// 502, 503 or 504).
    package var lastFailure: FetchError?
    /// The moving mean of the time that transfers take, redirects included; `nil` before the first.
    package var meanTransferTime: Duration?
    package var totals: Totals
}

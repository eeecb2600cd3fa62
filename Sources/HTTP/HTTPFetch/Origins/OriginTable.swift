import Synchronization

/// The origins of recent fetches. Those in use are pinned; of the others the least recently used is evicted. Not a
/// `BoundedCache`, whose entries cannot be pinned.
///
/// Under the lock: the origins by key, with their use counts and last uses. Everything is O(1) but eviction, which is O(n).
final class OriginTable: Sendable {
    /// The most origins that are kept.
    static let maxOrigins = 1024

    private struct Entry {
        let origin: Origin
        var userCount: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Origin.Key: Entry] = [:]
        var useCount: UInt64 = 0

        /// Counts another use of the origin, if it is in the table.
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

    /// The states of all origins, the most recently used last.
    var snapshots: [OriginState] {
        let entries = self.state.withLock { Array($0.entries.values) }
        return entries.sorted { $0.lastUse < $1.lastUse }.map(\.origin.snapshot)
    }

    /// The origin with this key, pinned until ``release(_:)``.
    ///
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` when the table is full of origins in use.
    func acquire(_ key: Origin.Key) throws(FetchError) -> Origin {
        if let origin = self.state.withLock({ $0.use(key) }) { return origin }
        // Created, and the evicted one released, outside the lock.
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

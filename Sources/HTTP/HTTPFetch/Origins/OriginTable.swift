import Synchronization

/// The origins that were asked lately.
///
/// Under the lock: the origins by key, who uses them, in what order they were let go. Everything is O(1) but making room,
/// which is O(n).
final class OriginTable: Sendable {
    /// So many are remembered. Beyond that the one goes that nobody has used for the longest time.
    static let maxOrigins = 1024

    private struct Entry {
        let origin: Origin
        var userCount: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Origin.Key: Entry] = [:]
        var useCount: UInt64 = 0

        /// The origin with one user more, if it is here.
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

    /// Runs `body` with the origin of this key, which is not forgotten meanwhile.
    ///
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` when all places are taken by origins in use; what `body` throws.
    func withOrigin<Value: Sendable>(
        _ key: Origin.Key, _ body: (Origin) async throws -> Value
    ) async throws -> Value {
        let origin = try self.acquire(key)
        defer { self.release(key) }
        return try await body(origin)
    }

    /// All of them, the one used last at the end.
    var snapshots: [OriginState] {
        let entries = self.state.withLock { Array($0.entries.values) }
        return entries.sorted { $0.lastUse < $1.lastUse }.map(\.origin.snapshot)
    }

    private func acquire(_ key: Origin.Key) throws(FetchError) -> Origin {
        if let origin = self.state.withLock({ $0.use(key) }) { return origin }
        // Made, and the one that goes let go of, outside the lock.
        let made = self.makeOrigin(key)
        var forgotten: Entry?
        defer { withExtendedLifetime(forgotten) {} }
        return try self.state.withLock { state throws(FetchError) in
            if let origin = state.use(key) { return origin }
            if state.entries.count >= self.maxOrigins {
                let idle = state.entries.filter { $0.value.userCount == 0 }
                guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
                    throw .overloaded(retryAfter: Origin.minRetryAfter)
                }
                forgotten = state.entries.removeValue(forKey: oldest.key)
            }
            state.useCount += 1
            state.entries[key] = Entry(origin: made, userCount: 1, lastUse: state.useCount)
            return made
        }
    }

    private func release(_ key: Origin.Key) {
        self.state.withLock { $0.entries[key]?.userCount -= 1 }
    }
}

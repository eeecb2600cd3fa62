import PosterPipeline
import Synchronization

/// A cache that threads ask.
protocol TimedCache: Sendable {
    func value(for key: CacheKey) -> CacheValue?
    func insert(_ value: CacheValue, for key: CacheKey, cost: Int)
}

/// The service's.
struct ChosenCache: TimedCache {
    private let cache: ShardedCache<CacheKey, CacheValue>

    init(limit: Int, shardCount: Int) {
        self.cache = ShardedCache(costLimit: limit, shardCount: shardCount)
    }

    func value(for key: CacheKey) -> CacheValue? { self.cache.value(for: key) }

    func insert(_ value: CacheValue, for key: CacheKey, cost: Int) {
        self.cache.insert(value, for: key, cost: cost)
    }
}

/// As the service's was before: one lock around one list by recency.
final class LockedLRU: TimedCache {
    private let limit: Int
    private let state = Mutex(RecencyMap<CacheKey, CacheValue>())

    init(limit: Int) {
        self.limit = limit
    }

    func value(for key: CacheKey) -> CacheValue? {
        self.state.withLock { $0.touch(key) }
    }

    func insert(_ value: CacheValue, for key: CacheKey, cost: Int) {
        let dropped = self.state.withLock { $0.insert(value, for: key, cost: cost, limit: self.limit) }
        withExtendedLifetime(dropped) {}
    }
}

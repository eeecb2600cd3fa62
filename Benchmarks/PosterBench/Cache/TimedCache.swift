import BoundedCache

protocol TimedCache: Sendable {
    func value(for key: CacheKey) -> CacheValue?
    func insert(_ value: CacheValue, for key: CacheKey, cost: Int)
}

/// The service's cache.
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

/// The baseline: one lock around an LRU list.
struct LockedLRU: TimedCache {
    private let cache: BoundedCache<CacheKey, CacheValue>

    init(limit: Int) {
        self.cache = BoundedCache(costLimit: limit)
    }

    func value(for key: CacheKey) -> CacheValue? { self.cache.value(for: key) }

    func insert(_ value: CacheValue, for key: CacheKey, cost: Int) {
        self.cache.insert(value, for: key, cost: cost)
    }
}

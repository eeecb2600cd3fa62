import BoundedCache

/// The cache that the service runs, W-TinyLFU by bytes with a window of 10 %, with as many shards as asked for.
///
/// Sizes: as ``TinyLFUPolicy``, but the newest entry stays whatever its size, and what exceeds a shard is refused.
///
/// The keys' hashes are given, because Swift's own differ from process to process and the shards with them.
struct ProductionPolicy: EvictionPolicy {
    private let bytes: [UInt32]
    private let cache: ShardedCache<UInt32, Void>

    init(budget: Int, bytes: [UInt32]) {
        self.init(budget: budget, bytes: bytes, shardCount: 1)
    }

    init(budget: Int, bytes: [UInt32], shardCount: Int) {
        self.bytes = bytes
        self.cache = ShardedCache(costLimit: budget, shardCount: shardCount)
    }

    mutating func request(_ key: Int) -> Bool {
        let hash = UInt(SplitMix.mixed(UInt64(key) &+ 1))
        if self.cache.value(for: UInt32(key), hash: hash) != nil { return true }
        _ = self.cache.insert((), for: UInt32(key), hash: hash, cost: Int(self.bytes[key]))
        return false
    }
}

import BoundedCache

/// The service's cache: W-TinyLFU by bytes with a window of 10 % and any number of shards.
///
/// Sizes: as ``TinyLFUPolicy``, but the newest entry stays whatever its size, and one larger than a shard is rejected.
///
/// Hashes are passed in, because Swift's hashes, and with them the shards, differ between processes.
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

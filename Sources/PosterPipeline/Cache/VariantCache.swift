import NIOCore

/// Encoded variants in memory, within a budget of bytes. Safe from any thread.
///
/// What is asked for again stays, and what a crawler asks for once goes first: see ``TinyLFU``, which
/// `poster-bench cache` was the reason for.
public final class VariantCache: Sendable {
    /// What an entry costs beside its encoded bytes: key, tags, slots of queues and index, counters. An estimate that
    /// keeps many tiny variants from being free.
    static let entryOverhead = 512
    /// The least a shard has, in bytes, if there is more than one: room for the largest variants and for hundreds of
    /// the usual.
    static let shardBudget = 16 << 20
    /// Two for each of the 8 threads that hits are to scale to; more shards make each a worse cache.
    static let mostShards = 16

    /// What the cache may hold, in bytes.
    public let byteBudget: Int

    private let variants: ShardedCache<VariantKey, Poster>

    /// - Parameter byteBudget: In bytes; 0 keeps nothing.
    public init(byteBudget: Int) {
        self.byteBudget = byteBudget
        self.variants = ShardedCache(costLimit: byteBudget, shardCount: Self.shardCount(byteBudget: byteBudget))
    }

    /// A power of two: 1 below 32 MiB, 16 from 256 MiB, which is the default, upwards.
    static func shardCount(byteBudget: Int) -> Int {
        var count = 1
        while count < Self.mostShards, byteBudget / (2 * count) >= Self.shardBudget { count *= 2 }
        return count
    }

    /// The number of variants and what they cost in bytes.
    public var usage: (count: Int, bytes: Int) {
        let usage = self.variants.usage
        return (usage.count, usage.cost)
    }

    /// How many variants made room for others since the start.
    public var evictionCount: Int { self.variants.evictionCount }

    func poster(for key: VariantKey) -> Poster? {
        self.variants.value(for: key)
    }

    /// Whether it is there; unlike ``poster(for:)``, asking is no use of it.
    func contains(_ key: VariantKey) -> Bool {
        self.variants.contains(key)
    }

    /// - Returns: Whether it is kept. A variant larger than a shard is not: that is the whole budget below 32 MiB, and
    ///   never less than 16 MiB above.
    @discardableResult
    func insert(_ poster: Poster, for key: VariantKey) -> Bool {
        // Capacity, not length, though the encoder's memory has no more than its file.
        self.variants.insert(poster, for: key, cost: poster.bytes.storageCapacity + Self.entryOverhead)
    }

    /// - Returns: Whether it was there.
    @discardableResult
    func remove(_ key: VariantKey) -> Bool {
        self.variants.remove(key)
    }

    /// Looks at every variant.
    func removeAll(where isUnwanted: @Sendable (VariantKey) -> Bool) {
        self.variants.removeAll { key, _ in isUnwanted(key) }
    }
}

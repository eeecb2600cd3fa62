import BoundedCache
import NIOCore
import PageArena
import Synchronization

/// Caches encoded variants in memory, within a byte budget. Safe from any thread.
///
/// Repeatedly requested variants stay; those requested once, as by a crawler, are evicted first: see ``TinyLFU``,
/// chosen after measurements with `poster-bench cache`.
public final class VariantCache: Sendable {
    /// Estimated memory of an entry beside its encoded bytes: key, tags, slots of queues and index, counters. Keeps
    /// many tiny variants from being free.
    static let entryOverhead = 512
    /// Minimum size of a shard in bytes, if there are several: room for the largest variants and for hundreds of
    /// typical ones.
    static let shardBudget = 14 << 20
    /// Two per thread, for the 8 threads that hits should scale to; more shards make each a worse cache.
    static let mostShards = 16

    /// The default of ``limitPerPoster``.
    public static let defaultLimitPerPoster = 256

    /// The budget in bytes.
    public let byteBudget: Int
    /// Maximum number of variants of one poster.
    public let limitPerPoster: Int

    private let variants: ShardedCache<VariantKey, Poster>
    private let index = VariantIndex()

    /// - Parameters:
    ///   - byteBudget: In bytes; 0 caches nothing.
    ///   - limitPerPoster: Maximum number of variants of one poster, at least 1. Beyond it, each new variant evicts
    ///     another of the same poster, so that requests for one poster in thousands of sizes do not evict other
    ///     posters.
    public init(byteBudget: Int, limitPerPoster: Int = VariantCache.defaultLimitPerPoster) {
        precondition(limitPerPoster >= 1, "limitPerPoster must be at least 1")
        self.byteBudget = byteBudget
        self.limitPerPoster = limitPerPoster
        self.variants = ShardedCache(costLimit: byteBudget, shardCount: Self.shardCount(byteBudget: byteBudget))
    }

    /// A power of two: 1 below 28 MiB, 16 from 224 MiB on, which includes the default.
    static func shardCount(byteBudget: Int) -> Int {
        var count = 1
        while count < Self.mostShards, byteBudget / (2 * count) >= Self.shardBudget { count *= 2 }
        return count
    }

    /// The number of variants and their memory in bytes.
    public var usage: (count: Int, bytes: Int) {
        let usage = self.variants.usage
        return (usage.count, usage.cost)
    }

    /// Evictions since the start.
    public var evictionCount: Int { self.variants.evictionCount }

    func poster(for key: VariantKey) -> Poster? {
        self.variants.value(for: key)
    }

    /// As ``poster(for:)``, with the number of uses since the insertion, this one included: at most 255.
    func countedPoster(for key: VariantKey) -> (poster: Poster, uses: Int)? {
        self.variants.countedValue(for: key).map { ($0.value, $0.uses) }
    }

    /// As ``poster(for:)``, but does not count as a use.
    func unusedPoster(for key: VariantKey) -> Poster? {
        self.variants.unusedValue(for: key)
    }

    /// Whether the variant is cached; does not count as a use.
    func contains(_ key: VariantKey) -> Bool {
        self.variants.contains(key)
    }

    /// The number of uses since the insertion, at most 255; `nil` if the variant is not cached.
    func useCount(of key: VariantKey) -> Int? {
        self.variants.useCount(of: key)
    }

    /// - Returns: Whether the variant is cached. One larger than a shard is not: a shard is the whole budget below 28
    ///   MiB, and at least 14 MiB above.
    @discardableResult
    func insert(_ poster: Poster, for key: VariantKey) -> Bool {
        let poster = self.inArena(poster)
        // The capacity, not the length: whole pages in the arena; memory from the encoder has no excess.
        let cost = poster.bytes.storageCapacity + Self.entryOverhead + key.badgeBytes
        let (isKept, evicted, displaced) = self.index.withKeys(of: key.id) { keys in
            var displaced: [Poster?] = []
            if !keys.contains(key) {
                while keys.count >= self.limitPerPoster { displaced.append(self.displace(one: &keys)) }
                keys.append(key)
            }
            let (isKept, evicted) = self.variants.exchange(poster, for: key, cost: cost)
            return (isKept, evicted, displaced)
        }
        // Removes evicted keys from the index, unless they were inserted again; other posters' keys have other locks.
        for entry in evicted where entry.key != key { self.removeFromIndex(entry.key) }
        if !isKept { self.removeFromIndex(key) }
        return withExtendedLifetime((evicted, displaced)) { isKept }
    }

    /// The poster with its bytes in the arena, if they are long enough to be sent from there. Everything that still
    /// sends them after an eviction holds the extent.
    private func inArena(_ poster: Poster) -> Poster {
        guard poster.bytes.storageCapacity + Self.entryOverhead <= self.variants.entryLimit,
            let bytes = ByteBuffer(copyingIntoArena: poster.bytes)
        else { return poster }
        var poster = poster
        poster.bytes = bytes
        return poster
    }

    /// Evicts the oldest variant without uses; a used one is skipped at the price of half its uses (Corbató's clock,
    /// with counts). So sizes in use stay, and a client that tries all sizes only displaces its own.
    private func displace(one keys: inout [VariantKey]) -> Poster? {
        // After as many rounds as a counter has bits, only variants used meanwhile have uses left.
        var hand = 0
        for _ in 0..<UInt8.bitWidth * keys.count {
            guard self.variants.halveUses(of: keys[hand]) else { break }
            hand = hand + 1 == keys.count ? 0 : hand + 1
        }
        let victim = keys[hand]
        keys = Array(keys[(hand + 1)...] + keys[..<hand])
        return self.variants.take(victim)
    }

    private func removeFromIndex(_ key: VariantKey) {
        self.index.withKeys(of: key.id) { keys in
            if !self.variants.contains(key), let index = keys.firstIndex(of: key) { keys.remove(at: index) }
        }
    }

    @discardableResult
    func remove(_ key: VariantKey) -> Bool {
        let removed = self.index.withKeys(of: key.id) { keys in
            if let index = keys.firstIndex(of: key) { keys.remove(at: index) }
            return self.variants.take(key)
        }
        return removed != nil
    }

    func removeAll(of id: PosterID) {
        let removed = self.index.withKeys(of: id) { keys in
            let posters = keys.map { self.variants.take($0) }
            keys = []
            return posters
        }
        withExtendedLifetime(removed) {}
    }

    func removeAll(of sources: Set<String>) {
        for id in self.index.posters(of: sources) { self.removeAll(of: id) }
    }

    func removeAll() {
        for id in self.index.posters { self.removeAll(of: id) }
    }

    func count(of id: PosterID) -> Int { self.index.withKeys(of: id) { $0.count } }
}

/// The cached variants of each poster, oldest first. Safe from any thread.
///
/// Sharded; a shard's lock is taken only when a variant is inserted or removed, not at hits. Insertions into the cache
/// hold the poster's lock, so that the index never has fewer keys than the cache.
final class VariantIndex: Sendable {
    typealias Keys = [PosterID: [VariantKey]]

    private final class Part: Sendable {
        let keys = Mutex<Keys>([:])
    }

    private static let partCount = 16
    private let parts = (0..<VariantIndex.partCount).map { _ in Part() }

    /// Reads and changes the keys of a poster exclusively.
    /// - Parameter body: Runs under a lock; returns values to be freed outside of it.
    func withKeys<Value>(of id: PosterID, _ body: (inout sending [VariantKey]) -> sending Value) -> sending Value {
        self.part(of: id).keys.withLock { all in
            var keys = all.removeValue(forKey: id) ?? []
            let value = body(&keys)
            if !keys.isEmpty { all[id] = keys }
            return value
        }
    }

    var posters: [PosterID] { self.parts.flatMap { part in part.keys.withLock { Array($0.keys) } } }

    func posters(of sources: Set<String>) -> [PosterID] {
        self.parts.flatMap { part in part.keys.withLock { $0.keys.filter { sources.contains($0.source) } } }
    }

    private func part(of id: PosterID) -> Part {
        self.parts[Int(UInt(bitPattern: id.hashValue) % UInt(Self.partCount))]
    }
}

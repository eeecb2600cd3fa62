public import Synchronization

/// A map with a cost limit and the eviction policy W-TinyLFU, in shards with a lock each, so that threads seldom
/// contend. Safe from any thread.
///
/// A hit is one hash, one lock for a few loads and stores, and allocates nothing, independent of the number of entries.
/// Values that are evicted, replaced or removed are freed after the lock is released.
///
/// Inlinable, so that callers in other modules get a specialised copy: `poster-bench cache` measures what the service runs.
public final class ShardedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline final class Shard: Sendable {
        @usableFromInline let state: Mutex<TinyLFU<Key, Value>>

        @inlinable init(limit: Int) {
            self.state = Mutex(TinyLFU(limit: limit))
        }
    }

    /// What the cache may hold.
    public let costLimit: Int
    /// What one entry may cost to be kept: a shard's part of the limit.
    public let entryLimit: Int

    @usableFromInline let shards: [Shard]
    @usableFromInline let evictions = Atomic<Int>(0)
    /// How far the uppermost bits of a hash, which choose the shard, are from its lower end.
    @usableFromInline let shift: Int

    /// - Parameters:
    ///   - costLimit: 0 keeps nothing.
    ///   - shardCount: A power of two.
    @inlinable public init(costLimit: Int, shardCount: Int) {
        precondition(shardCount >= 1 && shardCount & (shardCount - 1) == 0, "shardCount must be a power of two")
        let limit = costLimit / shardCount
        self.costLimit = costLimit
        self.entryLimit = limit
        self.shards = (0..<shardCount).map { _ in Shard(limit: limit) }
        self.shift = UInt.bitWidth - shardCount.trailingZeroBitCount
    }

    /// The number of entries and what they cost; each shard's two numbers are read together.
    @inlinable public var usage: (count: Int, cost: Int) {
        self.shards.reduce(into: (0, 0)) { sum, shard in
            let (count, cost) = shard.state.withLock { ($0.count, $0.cost) }
            sum.0 += count
            sum.1 += cost
        }
    }

    /// How many entries made room for others since the start.
    @inlinable public var evictionCount: Int { self.evictions.load(ordering: .relaxed) }

    /// The value for `key`, which counts as a use of it.
    @inlinable public func value(for key: Key) -> Value? {
        self.value(for: key, hash: Self.hash(of: key))
    }

    /// As ``value(for:)``, with the number of uses since the value's insertion, this one included: at most 255.
    @inlinable public func countedValue(for key: Key) -> (value: Value, uses: Int)? {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.countedValue(for: key, hash: hash) }
            .map { ($0.value, Int($0.uses)) }
    }

    /// The value for `key`, which does not count as a use of it.
    @inlinable public func unusedValue(for key: Key) -> Value? {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.unusedValue(for: key, hash: hash) }
    }

    /// Whether `key` has a value, without using it.
    @inlinable public func contains(_ key: Key) -> Bool {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.contains(key, hash: hash) }
    }

    /// Stores a value in place of what `key` held before.
    /// - Parameter worth: What a use saves for each unit of cost, in proportion to other entries': with equal worth those
    ///   stay that are used most, otherwise those that save most.
    /// - Returns: Whether it is kept; what costs more than ``entryLimit`` is not.
    @inlinable @discardableResult public func insert(
        _ value: Value, for key: Key, cost: Int, worth: Float = 1
    ) -> Bool {
        self.insert(value, for: key, hash: Self.hash(of: key), cost: cost, worth: worth)
    }

    /// - Returns: Whether there was a value.
    @inlinable @discardableResult public func remove(_ key: Key) -> Bool {
        self.take(key) != nil
    }

    /// Looks at every entry, one shard at a time.
    /// - Parameter isUnwanted: Is called with a lock held: it must not use this cache.
    @inlinable public func removeAll(where isUnwanted: @Sendable (Key, Value) -> Bool) {
        for shard in self.shards {
            let dropped = shard.state.withLock { $0.removeAll(where: isUnwanted) }
            withExtendedLifetime(dropped) {}
        }
    }

    /// - Parameter hash: In place of the key's own, which is another one in every process.
    @inlinable public func value(for key: Key, hash: UInt) -> Value? {
        self.shard(for: hash).state.withLock { $0.value(for: key, hash: hash) }
    }

    /// - Parameter hash: In place of the key's own, which is another one in every process.
    @inlinable public func insert(
        _ value: Value, for key: Key, hash: UInt, cost: Int, worth: Float = 1
    ) -> Bool {
        precondition(cost >= 0, "cost must not be negative")
        precondition(worth >= 0, "worth must be a number and not negative")
        let dropped = self.shard(for: hash).state.withLock {
            $0.insert(value, for: key, hash: hash, cost: cost, worth: worth)
        }
        if !dropped.isEmpty {
            // What the same key held before was replaced, not evicted.
            self.evictions.add(dropped.count { $0.key != key }, ordering: .relaxed)
        }
        return cost <= self.entryLimit
    }

    /// As ``insert(_:for:cost:)``, but does not count evictions.
    /// - Returns: Whether the value is kept, and the entries that were evicted or replaced, for the caller to free.
    @inlinable public func exchange(
        _ value: Value, for key: Key, cost: Int
    ) -> (isKept: Bool, dropped: [CacheEntry<Key, Value>]) {
        precondition(cost >= 0, "cost must not be negative")
        let hash = Self.hash(of: key)
        let dropped = self.shard(for: hash).state.withLock { $0.insert(value, for: key, hash: hash, cost: cost) }
        return (cost <= self.entryLimit, dropped)
    }

    /// Removes a value.
    /// - Returns: The value, for the caller to free.
    @inlinable public func take(_ key: Key) -> Value? {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.remove(key, hash: hash) }?.value
    }

    /// How often a value was used since its insertion, up to 255; nil when there is none.
    @inlinable public func useCount(of key: Key) -> Int? {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.useCount(of: key, hash: hash) }
    }

    /// Halves the number of uses of a value since its insertion.
    /// - Returns: Whether it was used.
    @inlinable public func halveUses(of key: Key) -> Bool {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.halveUses(of: key, hash: hash) }
    }

    @inlinable func shard(for hash: UInt) -> Shard {
        // A shift by the whole width gives 0: one shard.
        self.shards[Int(hash >> self.shift)]
    }

    @inlinable static func hash(of key: Key) -> UInt {
        UInt(bitPattern: key.hashValue)
    }
}

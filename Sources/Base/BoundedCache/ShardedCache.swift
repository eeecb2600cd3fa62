public import Synchronization

/// A map with a cost limit and the eviction policy W-TinyLFU, in shards with one lock each, so that threads rarely
/// contend. Safe from any thread.
///
/// A hit computes one hash and takes one lock for a few loads and stores; it allocates nothing, whatever the entry
/// count.
/// Values that are evicted, replaced or removed are freed after the lock is released.
///
/// Inlinable, so that callers in other modules get a specialised copy: `poster-bench cache` measures the service's
/// code.
public final class ShardedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline final class Shard: Sendable {
        @usableFromInline let state: Mutex<TinyLFU<Key, Value>>

        @inlinable init(limit: Int) {
            self.state = Mutex(TinyLFU(limit: limit))
        }
    }

    /// The maximum total cost.
    public let costLimit: Int
    /// The maximum cost of one entry: a shard's part of the limit.
    public let entryLimit: Int

    @usableFromInline let shards: [Shard]
    @usableFromInline let evictions = Atomic<Int>(0)
    /// The shift that leaves only a hash's uppermost bits, which choose the shard.
    @usableFromInline let shift: Int

    /// - Parameters:
    ///   - costLimit: 0 stores nothing.
    ///   - shardCount: A power of two.
    @inlinable public init(costLimit: Int, shardCount: Int) {
        precondition(shardCount >= 1 && shardCount & (shardCount - 1) == 0, "shardCount must be a power of two")
        let limit = costLimit / shardCount
        self.costLimit = costLimit
        self.entryLimit = limit
        self.shards = (0..<shardCount).map { _ in Shard(limit: limit) }
        self.shift = UInt.bitWidth - shardCount.trailingZeroBitCount
    }

    /// The number of entries and their total cost; each shard's two numbers are read under one lock.
    @inlinable public var usage: (count: Int, cost: Int) {
        self.shards.reduce(into: (0, 0)) { sum, shard in
            let (count, cost) = shard.state.withLock { ($0.count, $0.cost) }
            sum.0 += count
            sum.1 += cost
        }
    }

    /// The number of entries evicted since creation.
    @inlinable public var evictionCount: Int { self.evictions.load(ordering: .relaxed) }

    /// Returns the value for `key` and counts a use of it.
    @inlinable public func value(for key: Key) -> Value? {
        self.value(for: key, hash: Self.hash(of: key))
    }

    /// As ``value(for:)``, with the number of uses since the value's insertion, including this one; at most 255.
    @inlinable public func countedValue(for key: Key) -> (value: Value, uses: Int)? {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.countedValue(for: key, hash: hash) }
            .map { ($0.value, Int($0.uses)) }
    }

    /// Returns the value for `key` without counting a use.
    @inlinable public func unusedValue(for key: Key) -> Value? {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.unusedValue(for: key, hash: hash) }
    }

    /// Whether `key` has a value; does not count a use.
    @inlinable public func contains(_ key: Key) -> Bool {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.contains(key, hash: hash) }
    }

    /// Stores a value, replacing the key's previous one.
    /// - Parameter worth: The saving of one use per unit of cost, relative to other entries: with equal worth the most
    ///   used entries stay, otherwise the entries that save most.
    /// - Returns: Whether the value is stored; a value that costs more than ``entryLimit`` is not.
    @inlinable @discardableResult public func insert(
        _ value: Value, for key: Key, cost: Int, worth: Float = 1
    ) -> Bool {
        self.insert(value, for: key, hash: Self.hash(of: key), cost: cost, worth: worth)
    }

    /// - Returns: Whether there was a value.
    @inlinable @discardableResult public func remove(_ key: Key) -> Bool {
        self.take(key) != nil
    }

    /// Removes all entries that match; visits every entry, one shard at a time.
    /// - Parameter isUnwanted: Called with a lock held: it must not use this cache.
    @inlinable public func removeAll(where isUnwanted: @Sendable (Key, Value) -> Bool) {
        for shard in self.shards {
            let dropped = shard.state.withLock { $0.removeAll(where: isUnwanted) }
            withExtendedLifetime(dropped) {}
        }
    }

    /// - Parameter hash: Replaces the key's own hash, which differs between processes.
    @inlinable public func value(for key: Key, hash: UInt) -> Value? {
        self.shard(for: hash).state.withLock { $0.value(for: key, hash: hash) }
    }

    /// - Parameter hash: Replaces the key's own hash, which differs between processes.
    @inlinable public func insert(
        _ value: Value, for key: Key, hash: UInt, cost: Int, worth: Float = 1
    ) -> Bool {
        precondition(cost >= 0, "cost must not be negative")
        precondition(worth >= 0, "worth must be a number and not negative")
        let dropped = self.shard(for: hash).state.withLock {
            $0.insert(value, for: key, hash: hash, cost: cost, worth: worth)
        }
        if !dropped.isEmpty {
            // The key's previous value is replaced, not evicted.
            self.evictions.add(dropped.count { $0.key != key }, ordering: .relaxed)
        }
        return cost <= self.entryLimit
    }

    /// As ``insert(_:for:cost:)``, but does not count evictions.
    /// - Returns: Whether the value is stored, and the evicted or replaced entries, for the caller to free.
    @inlinable public func exchange(
        _ value: Value, for key: Key, cost: Int
    ) -> (isKept: Bool, dropped: [CacheEntry<Key, Value>]) {
        precondition(cost >= 0, "cost must not be negative")
        let hash = Self.hash(of: key)
        let dropped = self.shard(for: hash).state.withLock { $0.insert(value, for: key, hash: hash, cost: cost) }
        return (cost <= self.entryLimit, dropped)
    }

    /// Removes a value.
    /// - Returns: The removed value, for the caller to free.
    @inlinable public func take(_ key: Key) -> Value? {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.remove(key, hash: hash) }?.value
    }

    /// The number of uses of a value since its insertion, at most 255; `nil` if there is no value.
    @inlinable public func useCount(of key: Key) -> Int? {
        let hash = Self.hash(of: key)
        return self.shard(for: hash).state.withLock { $0.useCount(of: key, hash: hash) }
    }

    /// Halves the number of uses of a value since its insertion.
    /// - Returns: Whether it had been used.
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

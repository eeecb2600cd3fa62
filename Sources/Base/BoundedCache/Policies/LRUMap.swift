/// A bounded map that evicts the least recently used entry: a doubly linked list laid out in an array, indexed by a
/// dictionary. A plain value without a lock, for callers that have their own; ``BoundedCache`` is the thread-safe type.
///
/// Every operation is O(1), plus O(1) for each entry that it evicts.
public struct LRUMap<Key: Hashable, Value> {
    @usableFromInline struct Node {
        @usableFromInline let key: Key
        @usableFromInline var value: Value?  // nil only while the slot is free
        @usableFromInline var cost: Int
        @usableFromInline var newer: Int
        @usableFromInline var older: Int

        @inlinable init(key: Key, value: Value, cost: Int) {
            self.key = key
            self.value = value
            self.cost = cost
            self.newer = LRUMap.none
            self.older = LRUMap.none
        }
    }

    @inlinable static var none: Int { -1 }

    /// The maximum number of entries.
    public let countLimit: Int
    /// The maximum total cost of all entries.
    public let costLimit: Int

    @usableFromInline var slots: [Key: Int] = [:]
    @usableFromInline var nodes: [Node] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var newest = Self.none
    @usableFromInline var oldest = Self.none
    @usableFromInline var totalCost = 0

    /// - Parameters:
    ///   - countLimit: The maximum number of entries; 0 stores nothing. Unlimited by default.
    ///   - costLimit: The maximum total cost, in any unit. Unlimited by default.
    @inlinable public init(countLimit: Int = .max, costLimit: Int = .max) {
        self.countLimit = countLimit
        self.costLimit = costLimit
    }

    /// The number of entries.
    @inlinable public var count: Int { self.slots.count }

    /// The total cost of all entries.
    @inlinable public var cost: Int { self.totalCost }

    /// All keys, in no order.
    @inlinable public var keys: some Collection<Key> { self.slots.keys }

    /// Returns the value for `key` and makes it the most recently used one.
    @inlinable public mutating func value(for key: Key) -> Value? {
        guard let slot = self.slots[key] else { return nil }
        if slot != self.newest {
            self.unlink(slot)
            self.linkAsNewest(slot)
        }
        return self.nodes[slot].value
    }

    /// Stores a value, replacing the key's previous one, then evicts until both limits are met. A value that costs more
    /// than the whole limit is not stored, and the key's previous value is removed.
    ///
    /// - Returns: The replaced and evicted values, for the caller to free outside its lock.
    @inlinable public mutating func insert(_ value: Value, for key: Key, cost: Int = 1) -> [Value] {
        var dropped: [Value] = []
        if let slot = self.slots[key] { dropped.append(self.removeSlot(slot)) }
        guard cost <= self.costLimit, self.countLimit > 0 else { return dropped }

        let node = Node(key: key, value: value, cost: cost)
        let slot: Int
        if let reused = self.free.popLast() {
            slot = reused
            self.nodes[slot] = node
        } else {
            slot = self.nodes.count
            self.nodes.append(node)
        }
        self.slots[key] = slot
        self.linkAsNewest(slot)
        self.totalCost += cost
        while self.totalCost > self.costLimit || self.count > self.countLimit {
            dropped.append(self.removeSlot(self.oldest))
        }
        return dropped
    }

    /// - Returns: The removed value, for the caller to free outside its lock.
    @inlinable public mutating func remove(_ key: Key) -> Value? {
        self.slots[key].map { self.removeSlot($0) }
    }

    @inlinable mutating func removeSlot(_ slot: Int) -> Value {
        self.unlink(slot)
        self.slots[self.nodes[slot].key] = nil
        self.totalCost -= self.nodes[slot].cost
        self.free.append(slot)
        return self.nodes[slot].value.take().unsafelyUnwrapped
    }

    @inlinable mutating func linkAsNewest(_ slot: Int) {
        self.nodes[slot].newer = Self.none
        self.nodes[slot].older = self.newest
        if self.newest != Self.none { self.nodes[self.newest].newer = slot } else { self.oldest = slot }
        self.newest = slot
    }

    @inlinable mutating func unlink(_ slot: Int) {
        let (newer, older) = (self.nodes[slot].newer, self.nodes[slot].older)
        if newer != Self.none { self.nodes[newer].older = older } else { self.newest = older }
        if older != Self.none { self.nodes[older].newer = newer } else { self.oldest = newer }
    }
}

extension LRUMap: Sendable where Key: Sendable, Value: Sendable {}
extension LRUMap.Node: Sendable where Key: Sendable, Value: Sendable {}

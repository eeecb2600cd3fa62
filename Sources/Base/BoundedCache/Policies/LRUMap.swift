/// A bounded map that evicts the least recently used entry: a doubly linked list laid out in an array, with a dictionary
/// into it. A plain value without a lock, for callers that have one of their own; ``BoundedCache`` is the other choice.
///
/// Every operation is O(1), and as much again for each entry that it evicts.
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

    /// The most entries.
    public let countLimit: Int
    /// The most that all entries may cost together.
    public let costLimit: Int

    @usableFromInline var slots: [Key: Int] = [:]
    @usableFromInline var nodes: [Node] = []
    @usableFromInline var free: [Int] = []
    @usableFromInline var newest = Self.none
    @usableFromInline var oldest = Self.none
    @usableFromInline var totalCost = 0

    /// - Parameters:
    ///   - countLimit: The most entries; 0 keeps nothing. Unlimited by default.
    ///   - costLimit: The most that all entries may cost together, in any unit. Unlimited by default.
    @inlinable public init(countLimit: Int = .max, costLimit: Int = .max) {
        self.countLimit = countLimit
        self.costLimit = costLimit
    }

    /// The number of entries.
    @inlinable public var count: Int { self.slots.count }

    /// What all entries cost together.
    @inlinable public var cost: Int { self.totalCost }

    /// All keys, in no order.
    @inlinable public var keys: some Collection<Key> { self.slots.keys }

    /// The value for `key`, which becomes the most recently used one.
    @inlinable public mutating func value(for key: Key) -> Value? {
        guard let slot = self.slots[key] else { return nil }
        if slot != self.newest {
            self.unlink(slot)
            self.linkAsNewest(slot)
        }
        return self.nodes[slot].value
    }

    /// Stores a value in place of what `key` held before, then evicts until both limits are kept. A value that costs more
    /// than the whole limit is not stored, and what `key` held before is dropped.
    ///
    /// - Returns: The values that were replaced or evicted, for the caller to free outside its lock.
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

    /// - Returns: The value that was there, for the caller to free outside its lock.
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

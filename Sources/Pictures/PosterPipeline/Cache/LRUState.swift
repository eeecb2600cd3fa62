/// A bounded map that forgets what was used least recently: a doubly linked list laid out in an array, with a
/// dictionary into it. A plain value without a lock. Every operation is O(1).
struct LRUState<Key: Hashable, Value> {
    private struct Node {
        let key: Key
        var value: Value?  // nil only while the slot is free
        var cost: Int
        var newer: Int
        var older: Int
    }

    private static var none: Int { -1 }

    private var slots: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var free: [Int] = []
    private var newest = Self.none
    private var oldest = Self.none
    private(set) var cost = 0

    var count: Int { self.slots.count }

    /// In no order.
    var keys: some Collection<Key> { self.slots.keys }

    /// The value for `key`, which becomes the most recently used one.
    mutating func touch(_ key: Key) -> Value? {
        guard let slot = self.slots[key] else { return nil }
        if slot != self.newest {
            self.unlink(slot)
            self.linkAsNewest(slot)
        }
        return self.nodes[slot].value
    }

    /// Stores a value, then forgets until the total cost is within `limit`. What costs more than the whole limit is
    /// not stored, and whatever `key` held before is dropped.
    ///
    /// - Returns: The values that fell out, for the caller to free outside its lock.
    mutating func insert(_ value: Value, for key: Key, cost: Int, limit: Int) -> [Value] {
        var dropped: [Value] = []
        if let slot = self.slots[key] { dropped.append(self.remove(slot)) }
        guard cost <= limit else { return dropped }

        let node = Node(key: key, value: value, cost: cost, newer: Self.none, older: Self.none)
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
        self.cost += cost
        while self.cost > limit { dropped.append(self.remove(self.oldest)) }
        return dropped
    }

    /// - Returns: The value that was there, for the caller to free outside its lock.
    mutating func remove(_ key: Key) -> Value? {
        self.slots[key].map { self.remove($0) }
    }

    private mutating func remove(_ slot: Int) -> Value {
        self.unlink(slot)
        self.slots[self.nodes[slot].key] = nil
        self.cost -= self.nodes[slot].cost
        self.free.append(slot)
        return self.nodes[slot].value.take()!
    }

    private mutating func linkAsNewest(_ slot: Int) {
        self.nodes[slot].newer = Self.none
        self.nodes[slot].older = self.newest
        if self.newest != Self.none { self.nodes[self.newest].newer = slot } else { self.oldest = slot }
        self.newest = slot
    }

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (self.nodes[slot].newer, self.nodes[slot].older)
        if newer != Self.none { self.nodes[newer].older = older } else { self.newest = older }
        if older != Self.none { self.nodes[older].newer = newer } else { self.oldest = newer }
    }
}

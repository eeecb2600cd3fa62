/// A key of a cache and its value.
public struct CacheEntry<Key, Value> {
    /// The key the value is stored under.
    public let key: Key
    /// The stored value.
    public let value: Value

    @inlinable init(key: Key, value: Value) {
        self.key = key
        self.value = value
    }
}

/// A bounded map that keeps frequently used entries: W-TinyLFU (Einziger, Friedman, Manes, "TinyLFU: A Highly Efficient
/// Cache Admission Policy", ACM TOS 13(4), 2017), with costs instead of counts. A plain value without a lock.
///
/// New entries start in a window. When the window is full, its oldest entry moves to the main part if that has room, or
/// if its frequency times worth exceeds each victim's. Worth is the saving of one use per unit of cost; it is the same
/// for all entries unless the caller sets it. The main part has two queues ordered by recency: probation until the next
/// hit, protected afterwards. So a scan passes through the window and leaves the main part alone, and the newest entry
/// is always stored, whatever its size.
///
/// A hit is O(1) and allocates nothing. An insertion is O(1), plus O(1) for each entry that it evicts.
@usableFromInline struct TinyLFU<Key: Hashable, Value> {
    @usableFromInline typealias Entry = CacheEntry<Key, Value>

    @usableFromInline struct Node {
        @usableFromInline var entry: Entry?  // nil only while the slot is free
        @usableFromInline var hash: UInt
        @usableFromInline var cost: Int
        @usableFromInline var queue: Int
        /// Hits since insertion; ``TinyLFU/halveUses(of:hash:)`` halves them.
        @usableFromInline var uses: UInt8 = 0
        /// The saving of one use per unit of cost, relative to other entries.
        @usableFromInline var worth: Float

        @inlinable init(entry: Entry?, hash: UInt, cost: Int, queue: Int, worth: Float = 1) {
            self.entry = entry
            self.hash = hash
            self.cost = cost
            self.queue = queue
            self.worth = worth
        }
    }

    @inlinable static var window: Int { 0 }
    @inlinable static var probation: Int { 1 }
    @inlinable static var protected: Int { 2 }

    /// The maximum total cost of all entries.
    @usableFromInline let limit: Int
    /// The total cost of each queue's entries.
    @usableFromInline var costs = [0, 0, 0]
    @usableFromInline var index = SlotIndex()
    @usableFromInline var queues = SlotQueues(queueCount: 3)
    /// Indexed by slot; the first four are the sentinels of the three queues and of the free slots.
    @usableFromInline var nodes = [Node](repeating: Node(entry: nil, hash: 0, cost: 0, queue: 0), count: 4)
    @usableFromInline var sketch = FrequencySketch()

    @inlinable init(limit: Int) {
        self.limit = limit
    }

    @inlinable var count: Int { self.index.count }

    @inlinable var cost: Int { self.costs[0] + self.costs[1] + self.costs[2] }

    @inlinable func contains(_ key: Key, hash: UInt) -> Bool {
        self.slot(for: key, hash: hash) != nil
    }

    /// Returns the value for `key` and counts a use of it.
    /// - Parameter hash: In all functions: equal for equal keys, and well distributed in all its bits.
    @inlinable mutating func value(for key: Key, hash: UInt) -> Value? {
        self.countedValue(for: key, hash: hash)?.value
    }

    /// As ``value(for:hash:)``, with the number of uses since insertion, including this one.
    @inlinable mutating func countedValue(for key: Key, hash: UInt) -> (value: Value, uses: UInt8)? {
        guard let slot = self.slot(for: key, hash: hash) else { return nil }
        self.sketch.add(hash, entryCount: self.count)
        self.use(slot)
        if self.nodes[slot].uses < .max { self.nodes[slot].uses += 1 }
        return (self.nodes[slot].entry.unsafelyUnwrapped.value, self.nodes[slot].uses)
    }

    /// Returns the value for `key` without counting a use.
    @inlinable func unusedValue(for key: Key, hash: UInt) -> Value? {
        self.slot(for: key, hash: hash).map { self.nodes[$0].entry.unsafelyUnwrapped.value }
    }

    /// Stores a value, then evicts until the total cost is within the limit. Counts as a use of `key`, because a miss
    /// led to the insertion.
    ///
    /// A value that costs more than the whole limit is not stored, and the key's previous value is removed.
    ///
    /// - Parameter worth: The saving of one use per unit of cost, relative to other entries.
    /// - Returns: The replaced and evicted entries, for the caller to free outside its lock.
    @inlinable mutating func insert(
        _ value: Value, for key: Key, hash: UInt, cost: Int, worth: Float = 1
    ) -> [Entry] {
        var dropped: [Entry] = []
        if let slot = self.slot(for: key, hash: hash) { dropped.append(self.remove(slot)) }
        guard cost <= self.limit else { return dropped }
        let slot = self.queues.takeSlot(for: Self.window)
        let node = Node(
            entry: Entry(key: key, value: value), hash: hash, cost: cost, queue: Self.window, worth: worth)
        if slot == self.nodes.count { self.nodes.append(node) } else { self.nodes[slot] = node }
        self.index.insert(slot, for: hash)
        self.costs[Self.window] += cost
        self.sketch.reserve(self.count)
        self.sketch.add(hash, entryCount: self.count)
        self.makeRoom(keeping: slot, dropping: &dropped)
        return dropped
    }

    /// - Returns: The hits of an entry since its insertion; `nil` if there is no entry.
    @inlinable func useCount(of key: Key, hash: UInt) -> Int? {
        self.slot(for: key, hash: hash).map { Int(self.nodes[$0].uses) }
    }

    /// Halves the number of uses of an entry.
    /// - Returns: Whether the number was above zero; false without an entry.
    @inlinable mutating func halveUses(of key: Key, hash: UInt) -> Bool {
        guard let slot = self.slot(for: key, hash: hash) else { return false }
        let uses = self.nodes[slot].uses
        self.nodes[slot].uses = uses / 2
        return uses > 0
    }

    /// - Returns: The removed entry, for the caller to free outside its lock.
    @inlinable mutating func remove(_ key: Key, hash: UInt) -> Entry? {
        self.slot(for: key, hash: hash).map { self.remove($0) }
    }

    /// Removes all entries that match; visits every entry.
    /// - Returns: The removed entries, for the caller to free outside its lock.
    @inlinable mutating func removeAll(where isUnwanted: (Key, Value) -> Bool) -> [Entry] {
        var dropped: [Entry] = []
        for slot in self.nodes.indices {
            guard let entry = self.nodes[slot].entry, isUnwanted(entry.key, entry.value) else { continue }
            dropped.append(self.remove(slot))
        }
        return dropped
    }

    @inlinable func slot(for key: Key, hash: UInt) -> Int? {
        self.index.slot(for: hash) { self.nodes[$0].entry.unsafelyUnwrapped.key == key }
    }
}

/// Chooses the keys that a store with a cost limit evicts: GreedyDual-Size-Frequency (Cherkasova, "Improving WWW
/// Proxies Performance with Greedy-Dual-Size-Frequency Caching Policy", HP Labs HPL-98-69, 1998). A plain value without
/// a lock.
///
/// A key's priority is its worth times the number of its uses, plus the store's age at its last use. The key with the
/// lowest priority is evicted, and the store's age rises to that priority: so a valuable key that is no longer used is
/// evicted in the end. A new key that has the lowest priority itself is not stored.
///
/// Every operation is O(log n), plus O(log n) for each key that it evicts.
public struct GreedyDual<Key: Hashable & Sendable>: Sendable {
    private struct Node {
        let key: Key
        let cost: Int
        let worth: Double
        var priority: Double
        /// Rises with each use: among equal priorities the least recently used key is evicted first.
        var order: UInt64
        var uses = 1

        static func < (left: Node, right: Node) -> Bool {
            (left.priority, left.order) < (right.priority, right.order)
        }
    }

    /// The maximum number of uses that count.
    private static var mostUses: Int { 255 }

    /// The maximum total cost of all keys.
    public let costLimit: Int
    /// The total cost of all keys.
    public private(set) var cost = 0

    /// A binary heap; the next key to evict is first.
    private var heap: [Node] = []
    private var places: [Key: Int] = [:]
    private var age = 0.0
    private var lastOrder: UInt64 = 0

    /// - Parameter costLimit: 0 stores nothing.
    public init(costLimit: Int) {
        self.costLimit = costLimit
    }

    /// The number of keys.
    public var count: Int { self.heap.count }

    /// Adds a key, which counts as a use of it, then evicts until the total cost is within the limit.
    ///
    /// - Parameter worth: The saving of one use per unit of cost; not negative.
    /// - Returns: Whether the key is stored, and the other keys evicted for it.
    public mutating func insert(_ key: Key, cost: Int, worth: Double) -> (isKept: Bool, evicted: [Key]) {
        precondition(cost >= 0 && worth >= 0, "cost and worth must not be negative")
        self.remove(key)
        guard cost <= self.costLimit else { return (false, []) }
        self.lastOrder += 1
        self.heap.append(
            Node(key: key, cost: cost, worth: worth, priority: self.age + worth, order: self.lastOrder))
        self.places[key] = self.heap.count - 1
        self.cost += cost
        self.rise(from: self.heap.count - 1)
        var evicted: [Key] = []
        while self.cost > self.costLimit {
            let victim = self.remove(at: 0)
            self.age = max(self.age, victim.priority)
            guard victim.key != key else { return (false, evicted) }
            evicted.append(victim.key)
        }
        return (true, evicted)
    }

    /// Records a use of a key; has no effect if the key is absent.
    public mutating func use(_ key: Key) {
        guard let place = self.places[key] else { return }
        self.lastOrder += 1
        self.heap[place].uses = min(self.heap[place].uses + 1, Self.mostUses)
        self.heap[place].order = self.lastOrder
        self.heap[place].priority = self.age + self.heap[place].worth * Double(self.heap[place].uses)
        self.sink(from: place)
    }

    /// - Returns: Whether the key was present.
    @discardableResult
    public mutating func remove(_ key: Key) -> Bool {
        guard let place = self.places[key] else { return false }
        _ = self.remove(at: place)
        return true
    }

    private mutating func remove(at place: Int) -> Node {
        let last = self.heap.count - 1
        self.exchange(place, last)
        let node = self.heap.removeLast()
        self.places[node.key] = nil
        self.cost -= node.cost
        if place < last {
            self.rise(from: place)
            self.sink(from: place)
        }
        return node
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, self.heap[place] < self.heap[(place - 1) / 2] {
            self.exchange(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < self.heap.count {
                if self.heap[child] < self.heap[least] { least = child }
            }
            guard least != place else { return }
            self.exchange(place, least)
            place = least
        }
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        guard left != right else { return }
        self.heap.swapAt(left, right)
        self.places[self.heap[left].key] = left
        self.places[self.heap[right].key] = right
    }
}

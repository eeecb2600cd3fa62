/// The permits and the queue of a ``WeightedSemaphore``: its rules, without a lock, a clock or a task.
///
/// The most urgent goes first; equals in the order of their arrival. None overtakes an equal because it needs less: what
/// needs much would wait for ever. Linear in the queue, whose length is limited.
struct SemaphoreQueue<Item> {
    struct Entry {
        let id: UInt64
        let weight: Int
        let item: Item
    }

    let limits: WeightedSemaphore.Limits
    private(set) var heldCount = 0
    private(set) var heldWeight = 0
    /// By level.
    private var waiting: [[Entry]] = Urgency.Level.allCases.map { _ in [] }

    init(limits: WeightedSemaphore.Limits) {
        self.limits = limits
    }

    var waitingCount: Int { self.waiting.reduce(0) { $0 + $1.count } }

    func waitingCount(at level: Urgency.Level) -> Int { self.waiting[level.rawValue].count }

    /// The weight within the limit: none is so heavy that it could never be admitted.
    func clamped(_ weight: Int) -> Int { min(max(0, weight), self.limits.weight) }

    /// Takes a permit if there is one and nothing as urgent waits.
    mutating func takePermit(weight: Int, at level: Urgency.Level) -> Bool {
        guard self.waiting[level.rawValue...].allSatisfy(\.isEmpty), self.hasRoom(for: weight) else { return false }
        self.hold(weight)
        return true
    }

    /// - Returns: Whether the entry is queued, and the newest of the least urgent that lost its place to it.
    mutating func enqueue(_ entry: Entry, at level: Urgency.Level) -> (isQueued: Bool, displaced: Entry?) {
        var displaced: Entry?
        if self.waitingCount >= self.limits.queue {
            guard let victim = self.waiting.indices.first(where: { $0 < level.rawValue && !self.waiting[$0].isEmpty })
            else { return (false, nil) }
            displaced = self.waiting[victim].removeLast()
        }
        self.waiting[level.rawValue].append(entry)
        return (true, displaced)
    }

    /// Gives permits to as many of the queue as can have one, and removes them from it.
    mutating func admitted() -> [Item] {
        var admitted: [Item] = []
        while let level = self.waiting.indices.last(where: { !self.waiting[$0].isEmpty }),
            self.hasRoom(for: self.waiting[level][0].weight)
        {
            let entry = self.waiting[level].removeFirst()
            self.hold(entry.weight)
            admitted.append(entry.item)
        }
        return admitted
    }

    /// Removes an entry; nil when it is not in the queue.
    mutating func remove(_ id: UInt64) -> Entry? {
        for level in self.waiting.indices {
            guard let index = self.waiting[level].firstIndex(where: { $0.id == id }) else { continue }
            return self.waiting[level].remove(at: index)
        }
        return nil
    }

    /// Moves an entry to a more urgent level, behind those that were there.
    mutating func raise(_ id: UInt64, to level: Urgency.Level) {
        for lower in 0..<level.rawValue {
            guard let index = self.waiting[lower].firstIndex(where: { $0.id == id }) else { continue }
            self.waiting[level.rawValue].append(self.waiting[lower].remove(at: index))
            return
        }
    }

    mutating func release(weight: Int) {
        self.heldCount -= 1
        self.heldWeight -= weight
    }

    private func hasRoom(for weight: Int) -> Bool {
        self.heldCount < self.limits.count && weight <= self.limits.weight - self.heldWeight
    }

    private mutating func hold(_ weight: Int) {
        self.heldCount += 1
        self.heldWeight += weight
    }
}

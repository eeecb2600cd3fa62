/// Who has a slot and who waits for one: the rules of ``Slots``, without a lock, a clock or a task.
///
/// The most urgent goes first, and among equals who came first. Nobody overtakes an equal because he needs less: what
/// needs much would wait for ever. Linear in those that wait, whose number is limited.
struct SlotLine<Waiter> {
    struct Entry {
        let id: UInt64
        let weight: Int
        let waiter: Waiter
    }

    /// What becomes of one that wants a slot.
    enum Arrival {
        case admitted
        case queued
        /// The queue is full of others that are no less urgent.
        case refused
    }

    let limits: Slots.Limits
    private(set) var heldCount = 0
    private(set) var heldWeight = 0
    /// By level.
    private var waiting: [[Entry]] = Urgency.Level.allCases.map { _ in [] }

    init(limits: Slots.Limits) {
        self.limits = limits
    }

    var waitingCount: Int { self.waiting.reduce(0) { $0 + $1.count } }

    func waitingCount(at level: Urgency.Level) -> Int { self.waiting[level.rawValue].count }

    /// What a weight counts as: none is so heavy that it could never be admitted.
    func counted(_ weight: Int) -> Int { min(max(0, weight), self.limits.weight) }

    /// Takes a slot if there is one that nobody waits for who is as urgent.
    mutating func takeSlot(weight: Int, at level: Urgency.Level) -> Bool {
        guard self.waiting[level.rawValue...].allSatisfy(\.isEmpty), self.hasRoom(for: weight) else { return false }
        self.hold(weight)
        return true
    }

    /// - Returns: Whether it waits now, and the less urgent one that had to go for it.
    mutating func join(_ entry: Entry, at level: Urgency.Level) -> (isQueued: Bool, displaced: Entry?) {
        var displaced: Entry?
        if self.waitingCount >= self.limits.queue {
            guard let victim = self.waiting.indices.first(where: { $0 < level.rawValue && !self.waiting[$0].isEmpty })
            else { return (false, nil) }
            displaced = self.waiting[victim].removeLast()
        }
        self.waiting[level.rawValue].append(entry)
        return (true, displaced)
    }

    /// The next one, who has a slot now; nil when nobody can be admitted.
    mutating func admitNext() -> Entry? {
        guard let level = self.waiting.indices.last(where: { !self.waiting[$0].isEmpty }) else { return nil }
        guard self.hasRoom(for: self.waiting[level][0].weight) else { return nil }
        let entry = self.waiting[level].removeFirst()
        self.hold(entry.weight)
        return entry
    }

    /// Takes one out that waits; nil when it does not.
    mutating func leave(_ id: UInt64) -> Entry? {
        for level in self.waiting.indices {
            guard let index = self.waiting[level].firstIndex(where: { $0.id == id }) else { continue }
            return self.waiting[level].remove(at: index)
        }
        return nil
    }

    /// Moves one that waits to a more urgent level, behind those that were there.
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

/// The permits and the queue of a ``WeightedSemaphore``: its rules, without a lock or a clock.
///
/// The most urgent goes first; equals in the order of their arrival. None overtakes an equal because it needs less: what
/// needs much would wait for ever. Only what weighs nothing goes ahead of what is too heavy for now: it leaves that no less
/// room, and may hold the very weight that the other waits for. Linear in the queue, whose length is limited.
struct SemaphoreQueue {
    struct Entry {
        let weight: Int
        let waiter: Waiter<Void>
    }

    let limits: WeightedSemaphore.Limits
    private(set) var heldCount = 0
    private(set) var heldWeight = 0
    /// By level.
    private(set) var waiting: [[Entry]] = Urgency.Level.allCases.map { _ in [] }

    init(limits: WeightedSemaphore.Limits) {
        self.limits = limits
    }

    var waitingCount: Int { self.waiting.reduce(0) { $0 + $1.count } }

    /// Whether more permits than `reserved` are free, and nothing waits for them.
    func hasFreePermit(besides reserved: Int) -> Bool {
        self.heldCount < self.limits.count - reserved && self.waitingCount == 0
    }

    /// The weight within the limit: none is so heavy that it could never be admitted.
    func clamped(_ weight: Int) -> Int { min(max(0, weight), self.limits.weight) }

    /// Takes a permit if there is one and nothing as urgent waits.
    mutating func takePermit(weight: Int, at level: Urgency.Level) -> Bool {
        guard self.waiting[level.rawValue...].allSatisfy(\.isEmpty), self.hasRoom(for: weight) else { return false }
        self.hold(weight)
        return true
    }

    /// - Returns: Whether the entry is queued, and the newest of the least urgent that lost its place to it.
    mutating func enqueue(_ entry: Entry, at level: Urgency.Level) -> (isQueued: Bool, displaced: Waiter<Void>?) {
        var displaced: Waiter<Void>?
        if self.waitingCount >= self.limits.queue {
            guard let victim = self.waiting.indices.first(where: { $0 < level.rawValue && !self.waiting[$0].isEmpty })
            else { return (false, nil) }
            displaced = self.waiting[victim].removeLast().waiter
        }
        self.waiting[level.rawValue].append(entry)
        return (true, displaced)
    }

    /// Gives permits to as many of the queue as can have one, and removes them from it.
    mutating func admitted() -> [Waiter<Void>] {
        var admitted: [Waiter<Void>] = []
        while let level = self.waiting.indices.last(where: { !self.waiting[$0].isEmpty }),
            self.hasRoom(for: self.waiting[level][0].weight)
        {
            let entry = self.waiting[level].removeFirst()
            self.hold(entry.weight)
            admitted.append(entry.waiter)
        }
        while self.hasRoom(for: 0), let weightless = self.removeWeightless() {
            self.hold(0)
            admitted.append(weightless.waiter)
        }
        return admitted
    }

    /// Removes the first entry that weighs nothing, of the most urgent level that has one.
    private mutating func removeWeightless() -> Entry? {
        for level in self.waiting.indices.reversed() {
            if let index = self.waiting[level].firstIndex(where: { $0.weight == 0 }) {
                return self.waiting[level].remove(at: index)
            }
        }
        return nil
    }

    /// Removes an entry from the levels below `end`; nil when it is not there.
    mutating func remove(_ id: Waiter<Void>.ID, below end: Int = Urgency.Level.allCases.count) -> Entry? {
        for level in 0..<end {
            guard let index = self.waiting[level].firstIndex(where: { $0.waiter.id == id }) else { continue }
            return self.waiting[level].remove(at: index)
        }
        return nil
    }

    /// Moves an entry to a more urgent level, behind those that were there.
    mutating func raise(_ id: Waiter<Void>.ID, to level: Urgency.Level) {
        if let entry = self.remove(id, below: level.rawValue) { self.waiting[level.rawValue].append(entry) }
    }

    mutating func release(weight: Int) {
        self.heldCount -= 1
        self.heldWeight -= weight
    }

    mutating func release(heldWeight: Int) {
        self.heldWeight -= heldWeight
    }

    /// Changes the weight of one that is held, if there is room.
    mutating func exchange(_ held: Int, for weight: Int) -> Bool {
        guard weight - held <= self.limits.weight - self.heldWeight else { return false }
        self.heldWeight += weight - held
        return true
    }

    private func hasRoom(for weight: Int) -> Bool {
        self.heldCount < self.limits.count && weight <= self.limits.weight - self.heldWeight
    }

    private mutating func hold(_ weight: Int) {
        self.heldCount += 1
        self.heldWeight += weight
    }
}

/// The rules of a ``WeightedSemaphore``: its permits and its queue, without a lock or a clock.
///
/// The most urgent entry is admitted first; equally urgent ones in the order of arrival. A light entry does not
/// overtake an equally urgent heavy one, which would starve. Only entries of weight 0 overtake an entry that does not
/// fit yet: they take no weight from it, and their work may hold the weight that it waits for. Operations are linear in
/// the queue, which has a limited length.
struct SemaphoreQueue {
    struct Entry {
        let weight: Int
        let waiter: Waiter<Void>
    }

    let limits: WeightedSemaphore.Limits
    private(set) var heldCount = 0
    private(set) var heldWeight = 0
    /// Indexed by level.
    private(set) var waiting: [[Entry]] = Urgency.Level.allCases.map { _ in [] }

    init(limits: WeightedSemaphore.Limits) {
        self.limits = limits
    }

    var waitingCount: Int { self.waiting.reduce(0) { $0 + $1.count } }

    /// Whether more than `reserved` permits are free and the queue is empty.
    func hasFreePermit(besides reserved: Int) -> Bool {
        self.heldCount < self.limits.count - reserved && self.waitingCount == 0
    }

    /// The weight clamped to the limit, so that every entry can be admitted eventually.
    func clamped(_ weight: Int) -> Int { min(max(0, weight), self.limits.weight) }

    /// Takes a permit if one is available and no entry of the same or a higher level waits.
    mutating func takePermit(weight: Int, at level: Urgency.Level) -> Bool {
        guard self.waiting[level.rawValue...].allSatisfy(\.isEmpty), self.hasRoom(for: weight) else { return false }
        self.hold(weight)
        return true
    }

    /// - Returns: Whether the entry is queued, and the waiter it displaced: the newest of the least urgent level.
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

    /// Gives permits to as many queued entries as possible, and removes them from the queue.
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

    /// Removes the first entry of weight 0 at the most urgent level that has one.
    private mutating func removeWeightless() -> Entry? {
        for level in self.waiting.indices.reversed() {
            if let index = self.waiting[level].firstIndex(where: { $0.weight == 0 }) {
                return self.waiting[level].remove(at: index)
            }
        }
        return nil
    }

    /// Removes an entry from the levels below `end`; returns `nil` if it is not there.
    mutating func remove(_ id: Waiter<Void>.ID, below end: Int = Urgency.Level.allCases.count) -> Entry? {
        for level in 0..<end {
            guard let index = self.waiting[level].firstIndex(where: { $0.waiter.id == id }) else { continue }
            return self.waiting[level].remove(at: index)
        }
        return nil
    }

    /// Moves an entry to a more urgent level, behind the entries there.
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

    /// Changes the weight of a held permit if there is room.
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

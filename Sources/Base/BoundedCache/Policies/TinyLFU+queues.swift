extension TinyLFU {
    /// What the window may cost beside its newest entry: a tenth. With the paper's hundredth, posters that are talked of
    /// for a day are refused until they are old; `poster-bench cache` shows both.
    @inlinable var windowShare: Int { self.limit / 10 }

    /// What the main queues may cost together. They are not lent what the window does not need just now: they would fill
    /// it without a contest and lose others for it soon after.
    @inlinable var mainShare: Int { self.limit - self.windowShare }

    /// What the protected part of the main queues may cost.
    @inlinable var protectedShare: Int { self.mainShare / 5 * 4 }

    /// What the main queues cost together.
    @inlinable var mainCost: Int { self.costs[Self.probation] + self.costs[Self.protected] }

    /// A hit makes an entry the newest of its queue, and protects it from then on if it was on probation.
    @inlinable mutating func use(_ slot: Int) {
        guard self.nodes[slot].queue == Self.probation else {
            self.queues.move(slot, to: self.nodes[slot].queue)
            return
        }
        self.move(slot, to: Self.protected)
        while self.costs[Self.protected] > self.protectedShare, let oldest = self.queues.oldest(of: Self.protected) {
            self.move(oldest, to: Self.probation)
        }
    }

    /// Empties the window down to its share and all of it down to the limit.
    /// - Parameter newest: Of the window; stays, whatever its cost, which is within the limit.
    @inlinable mutating func makeRoom(keeping newest: Int, dropping dropped: inout [Entry]) {
        while self.costs[Self.window] > self.windowShare, let oldest = self.queues.oldest(of: Self.window),
            oldest != newest
        {
            self.move(oldest, to: Self.probation)
            self.admit(oldest, dropping: &dropped)
        }
        while self.cost > self.limit, let victim = self.victim { dropped.append(self.remove(victim)) }
    }

    /// The candidate, newest on probation, meets one victim after the other until there is room, or until it does
    /// not save more than one of them, by frequency and worth: then it goes itself.
    @inlinable mutating func admit(_ candidate: Int, dropping dropped: inout [Entry]) {
        guard self.mainCost > self.mainShare else { return }
        let saving = self.saving(candidate)
        while self.mainCost > self.mainShare, let victim = self.victim {
            // The candidate meets itself when no other entry is on probation: then the protected ones stay.
            guard victim != candidate, saving > self.saving(victim) else {
                dropped.append(self.remove(candidate))
                return
            }
            dropped.append(self.remove(victim))
        }
    }

    /// What an entry is expected to save for each unit of its cost.
    @inlinable func saving(_ slot: Int) -> Float {
        Float(self.sketch.frequency(of: self.nodes[slot].hash)) * self.nodes[slot].worth
    }

    /// The next entry to be evicted from the main queues.
    @inlinable var victim: Int? {
        self.queues.oldest(of: Self.probation) ?? self.queues.oldest(of: Self.protected)
    }

    @inlinable mutating func move(_ slot: Int, to queue: Int) {
        let cost = self.nodes[slot].cost
        self.costs[self.nodes[slot].queue] -= cost
        self.costs[queue] += cost
        self.nodes[slot].queue = queue
        self.queues.move(slot, to: queue)
    }

    @inlinable mutating func remove(_ slot: Int) -> Entry {
        self.index.remove(slot, for: self.nodes[slot].hash)
        self.costs[self.nodes[slot].queue] -= self.nodes[slot].cost
        self.queues.freeSlot(slot)
        return self.nodes[slot].entry.take().unsafelyUnwrapped
    }
}

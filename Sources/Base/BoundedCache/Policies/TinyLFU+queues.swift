extension TinyLFU {
    /// The maximum cost of the window without its newest entry: a tenth of the limit. With the paper's hundredth,
    /// posters that are popular for a day are rejected until their day is over; `poster-bench cache` measures both.
    @inlinable var windowShare: Int { self.limit / 10 }

    /// The maximum cost of the main queues. It does not include the window's unused share: entries would enter there
    /// without a contest, and other entries would be evicted for them soon after.
    @inlinable var mainShare: Int { self.limit - self.windowShare }

    @inlinable var protectedShare: Int { self.mainShare / 5 * 4 }

    @inlinable var mainCost: Int { self.costs[Self.probation] + self.costs[Self.protected] }

    /// Makes an entry that was hit the newest of its queue, and moves it to the protected queue if it was on probation.
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

    /// Reduces the window to its share and all queues together to the limit.
    /// - Parameter newest: The window's newest entry, which is never evicted; its cost is within the limit.
    @inlinable mutating func makeRoom(keeping newest: Int, dropping dropped: inout [Entry]) {
        while self.costs[Self.window] > self.windowShare, let oldest = self.queues.oldest(of: Self.window),
            oldest != newest
        {
            self.move(oldest, to: Self.probation)
            self.admit(oldest, dropping: &dropped)
        }
        while self.cost > self.limit, let victim = self.victim { dropped.append(self.remove(victim)) }
    }

    /// Compares the candidate, the newest entry on probation, with one victim after the other, evicting victims until
    /// there is room. The candidate itself is evicted if it does not save more than a victim, by frequency times worth.
    @inlinable mutating func admit(_ candidate: Int, dropping dropped: inout [Entry]) {
        guard self.mainCost > self.mainShare else { return }
        let saving = self.saving(candidate)
        while self.mainCost > self.mainShare, let victim = self.victim {
            // If no other entry is on probation, the victim is the candidate itself: the protected entries stay.
            guard victim != candidate, saving > self.saving(victim) else {
                dropped.append(self.remove(candidate))
                return
            }
            dropped.append(self.remove(victim))
        }
    }

    /// The expected saving of an entry per unit of its cost.
    @inlinable func saving(_ slot: Int) -> Float {
        Float(self.sketch.frequency(of: self.nodes[slot].hash)) * self.nodes[slot].worth
    }

    /// The next entry to evict from the main queues.
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

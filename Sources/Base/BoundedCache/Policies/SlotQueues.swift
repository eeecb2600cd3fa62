/// Doubly linked queues of an array's slots; a slot is in exactly one of them. Every operation is O(1).
///
/// The first slots are sentinels, one per queue: a ring without ends needs no special cases.
@usableFromInline struct SlotQueues {
    @usableFromInline struct Link {
        @usableFromInline var newer, older: UInt32

        @inlinable init(newer: UInt32, older: UInt32) {
            self.newer = newer
            self.older = older
        }
    }

    @usableFromInline var links: [Link]
    @usableFromInline let free: Int

    /// - Parameter queueCount: The queues are numbered `0..<queueCount`.
    @inlinable init(queueCount: Int) {
        self.free = queueCount
        self.links = (0...queueCount).map { Link(newer: UInt32($0), older: UInt32($0)) }
    }

    /// Makes a free slot the newest of `queue`, appending a new one if none is free.
    @inlinable mutating func takeSlot(for queue: Int) -> Int {
        if let slot = self.oldest(of: self.free) {
            self.move(slot, to: queue)
            return slot
        }
        let slot = self.links.count
        self.links.append(Link(newer: UInt32(slot), older: UInt32(slot)))
        self.move(slot, to: queue)
        return slot
    }

    @inlinable mutating func freeSlot(_ slot: Int) {
        self.move(slot, to: self.free)
    }

    /// The oldest slot of `queue`; `nil` if it is empty.
    @inlinable func oldest(of queue: Int) -> Int? {
        let slot = Int(self.links[queue].newer)
        return slot == queue ? nil : slot
    }

    /// Removes `slot` from its queue and makes it the newest of `queue`.
    @inlinable mutating func move(_ slot: Int, to queue: Int) {
        let link = self.links[slot]
        self.links[Int(link.newer)].older = link.older
        self.links[Int(link.older)].newer = link.newer
        let newest = self.links[queue].older
        self.links[slot] = Link(newer: UInt32(queue), older: newest)
        self.links[Int(newest)].newer = UInt32(slot)
        self.links[queue].older = UInt32(slot)
    }
}

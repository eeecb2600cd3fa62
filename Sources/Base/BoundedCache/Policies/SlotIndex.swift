/// Finds slots of an array by hash: open addressing with linear probing, 8 bytes per bucket, at most three quarters
/// full.
///
/// Not a `Dictionary`, which would compute another hash: the caller has one already, for choosing the shard. The owner
/// of the keys decides equality. A plain value without a lock.
@usableFromInline struct SlotIndex {
    /// `tag << 32 | slot`; the tag is the hash's lower half, and the search begins at its position.
    @usableFromInline var buckets: [UInt64]
    @usableFromInline var count = 0

    @usableFromInline static var empty: UInt64 { .max }

    @inlinable init() {
        self.buckets = [UInt64](repeating: Self.empty, count: 8)
    }

    /// The slot stored for `hash` for which `isRight` returns true.
    /// - Parameter isRight: Called only if 32 bits of the hash agree.
    @inlinable func slot(for hash: UInt, where isRight: (Int) -> Bool) -> Int? {
        let mask = self.buckets.count - 1
        let tag = UInt64(truncatingIfNeeded: hash) & 0xFFFF_FFFF
        var position = Int(tag) & mask
        while true {
            let bucket = self.buckets[position]
            if bucket == Self.empty { return nil }
            if bucket >> 32 == tag {
                let slot = Int(bucket & 0xFFFF_FFFF)
                if isRight(slot) { return slot }
            }
            position = (position + 1) & mask
        }
    }

    /// - Parameter slot: Less than 2^32 - 1, and not in the index yet.
    @inlinable mutating func insert(_ slot: Int, for hash: UInt) {
        if 4 * (self.count + 1) > 3 * self.buckets.count { self.grow() }
        self.place((UInt64(truncatingIfNeeded: hash) & 0xFFFF_FFFF) << 32 | UInt64(slot))
        self.count += 1
    }

    /// - Parameter slot: Stored in the index for `hash`.
    @inlinable mutating func remove(_ slot: Int, for hash: UInt) {
        let mask = self.buckets.count - 1
        let wanted = (UInt64(truncatingIfNeeded: hash) & 0xFFFF_FFFF) << 32 | UInt64(slot)
        var hole = Int(wanted >> 32) & mask
        while self.buckets[hole] != wanted { hole = (hole + 1) & mask }
        // Moves the following buckets back, so that searches need no tombstones (Knuth, TAOCP 3, 6.4, algorithm R).
        var position = hole
        while true {
            position = (position + 1) & mask
            let bucket = self.buckets[position]
            if bucket == Self.empty { break }
            let home = Int(bucket >> 32) & mask
            if (position - home) & mask >= (position - hole) & mask {
                self.buckets[hole] = bucket
                hole = position
            }
        }
        self.buckets[hole] = Self.empty
        self.count -= 1
    }

    @inlinable mutating func place(_ bucket: UInt64) {
        let mask = self.buckets.count - 1
        var position = Int(bucket >> 32) & mask
        while self.buckets[position] != Self.empty { position = (position + 1) & mask }
        self.buckets[position] = bucket
    }

    @usableFromInline mutating func grow() {
        let old = self.buckets
        self.buckets = [UInt64](repeating: Self.empty, count: 2 * old.count)
        for bucket in old where bucket != Self.empty { self.place(bucket) }
    }
}

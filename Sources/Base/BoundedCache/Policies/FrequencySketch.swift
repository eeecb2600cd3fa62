/// Estimates how often hashes were seen recently: a count-min sketch with four counters per hash, the least of them
/// being the estimate. All counters are halved periodically (Einziger, Friedman, Manes, "TinyLFU", ACM TOS 13(4),
/// 2017).
///
/// A hash's four counters lie in one block of 64 bytes, so that a count touches one or two cache lines. A counter takes
/// a byte and saturates at 15; there are at least 32 per entry. Only ``reserve(_:)`` grows the sketch, never a key.
@usableFromInline struct FrequencySketch {
    @inlinable static var blockLength: Int { 64 }
    @inlinable static var entriesPerBlock: Int { 2 }
    @inlinable static var most: UInt8 { 15 }
    /// Counts per entry between two halvings.
    @inlinable static var countsPerEntry: Int { 10 }

    /// A power of two of consecutive blocks, each of four rows of 16 counters.
    @usableFromInline var counters = [UInt8](repeating: 0, count: Self.blockLength)
    /// Counts since the last halving, plus half of the counts before it.
    @usableFromInline var counts = 0

    @inlinable init() {}

    /// Estimates how often `hash` was seen, 0...15; rarely too low.
    @inlinable func frequency(of hash: UInt) -> UInt8 {
        let block = self.block(of: hash)
        return min(
            min(self.counters[block | Int(hash & 15)], self.counters[block | 16 | Int(hash >> 4 & 15)]),
            min(self.counters[block | 32 | Int(hash >> 8 & 15)], self.counters[block | 48 | Int(hash >> 12 & 15)]))
    }

    /// - Parameter entryCount: The cache's entries; ten times as many counts halve all counters.
    @inlinable mutating func add(_ hash: UInt, entryCount: Int) {
        let block = self.block(of: hash)
        var bits = hash
        var isCounted = false
        for row in 0..<4 {
            let place = block | row << 4 | Int(bits & 15)
            if self.counters[place] < Self.most {
                self.counters[place] += 1
                isCounted = true
            }
            bits >>= 4
        }
        guard isCounted else { return }
        self.counts += 1
        if self.counts >= Self.countsPerEntry * max(entryCount, Self.entriesPerBlock) { self.halve() }
    }

    /// Makes room for `entryCount` entries without losing counts: doubling copies all blocks, so each hash finds its
    /// own copy.
    @inlinable mutating func reserve(_ entryCount: Int) {
        while self.counters.count / Self.blockLength * Self.entriesPerBlock < entryCount {
            self.counters += self.counters
        }
    }

    @inlinable func block(of hash: UInt) -> Int {
        // Bits that choose no counter within the block. Masking keeps the block's start: lengths are powers of two.
        Int(truncatingIfNeeded: hash >> 16) & (self.counters.count - Self.blockLength)
    }

    @usableFromInline mutating func halve() {
        for place in self.counters.indices { self.counters[place] >>= 1 }
        self.counts /= 2
    }
}

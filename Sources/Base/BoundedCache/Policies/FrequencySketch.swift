/// Estimates how often hashes were seen lately: a count-min sketch of four counters a hash, of which the least is nearest
/// the truth, and which are all halved from time to time (Einziger, Friedman, Manes, "TinyLFU", ACM TOS 13(4), 2017).
///
/// The four lie in one block of 64 bytes, so that a count touches one or two cache lines. A counter goes to 15 and takes
/// a byte; there are 32 for each entry, or more. It only ever holds counts: no key makes it grow, only ``reserve(_:)``.
@usableFromInline struct FrequencySketch {
    @inlinable static var blockLength: Int { 64 }
    @inlinable static var entriesPerBlock: Int { 2 }
    @inlinable static var most: UInt8 { 15 }
    /// Counts for each entry between two halvings.
    @inlinable static var countsPerEntry: Int { 10 }

    /// Blocks after each other, a power of two of them, each of four rows of 16.
    @usableFromInline var counters = [UInt8](repeating: 0, count: Self.blockLength)
    /// Counts since the last halving, and half of those before.
    @usableFromInline var counts = 0

    @inlinable init() {}

    /// An estimate of how often `hash` was seen, 0...15; rarely too low.
    @inlinable func frequency(of hash: UInt) -> UInt8 {
        let block = self.block(of: hash)
        return min(
            min(self.counters[block | Int(hash & 15)], self.counters[block | 16 | Int(hash >> 4 & 15)]),
            min(self.counters[block | 32 | Int(hash >> 8 & 15)], self.counters[block | 48 | Int(hash >> 12 & 15)]))
    }

    /// - Parameter entryCount: Of the cache: ten times as many counts halve all of them.
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

    /// Makes room for so many entries and keeps all counts: the blocks are doubled, so that each hash finds a copy of its own.
    @inlinable mutating func reserve(_ entryCount: Int) {
        while self.counters.count / Self.blockLength * Self.entriesPerBlock < entryCount {
            self.counters += self.counters
        }
    }

    @inlinable func block(of hash: UInt) -> Int {
        // Bits that choose no place within the block. Masking keeps the block's start: lengths are powers of two.
        Int(truncatingIfNeeded: hash >> 16) & (self.counters.count - Self.blockLength)
    }

    @usableFromInline mutating func halve() {
        for place in self.counters.indices { self.counters[place] >>= 1 }
        self.counts /= 2
    }
}

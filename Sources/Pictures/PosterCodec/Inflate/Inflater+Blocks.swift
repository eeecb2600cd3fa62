/// Block headers and stored blocks.
extension Inflater {
    /// RFC 1951, 3.2.3.
    mutating func readBlock() -> Step {
        guard let header = self.bits.take(3) else { return .stops(.needsInput) }
        self.isLastBlock = header & 1 != 0
        switch header >> 1 {
        case 0:
            self.bits.align()
            self.stage = .stored
        case 1:
            self.codes.setFixed()
            self.stage = .symbols
        case 2: self.stage = .dynamic
        default: return .stops(.corrupt)
        }
        return .goesOn
    }

    /// Proceeds to the next block or the checksum after a block's last symbol.
    mutating func endBlock() {
        if self.isLastBlock {
            self.bits.align()
            self.stage = .checksum
        } else {
            self.stage = .block
        }
    }

    /// Reads the length of a stored block, which is stored twice (3.2.4).
    mutating func readStored() -> Step {
        guard let lengths = self.bits.take(32) else { return .stops(.needsInput) }
        let length = lengths & 0xFFFF
        guard length == lengths >> 16 ^ 0xFFFF else { return .stops(.corrupt) }
        self.stage = .storedBytes(left: length)
        return .goesOn
    }

    /// Copies the bytes of a stored block, beginning with the bytes in the bit buffer.
    mutating func copyStored(_ count: Int) -> Step {
        var left = count
        while left > 0, self.bits.count > 0, !self.window.isFull {
            self.window.put(UInt8(truncatingIfNeeded: self.bits.buffer))
            self.bits.drop(8)
            left -= 1
        }
        if left > 0, self.bits.count == 0 {
            let copied = self.window.put(self.bits.next, count: min(left, self.bits.left))
            self.bits.next += copied
            left -= copied
        }
        self.stage = .storedBytes(left: left)
        guard left == 0 else { return .stops(self.window.isFull ? .isFull : .needsInput) }
        self.endBlock()
        return .goesOn
    }

    /// The header of a block with dynamic codes (RFC 1951, 3.2.7): the number of code lengths of each alphabet.
    struct DynamicCounts {
        let literals: Int
        let distances: Int
        let precodes: Int
    }

    private static let precodeOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    mutating func readDynamic() -> Step {
        guard let header = self.bits.take(14) else { return .stops(.needsInput) }
        let counts = DynamicCounts(
            literals: 257 + header & 31, distances: 1 + header >> 5 & 31, precodes: 4 + header >> 10)
        guard counts.literals <= 286, counts.distances <= 30 else { return .stops(.corrupt) }
        self.codes.lengths.update(repeating: 0, count: 19)
        self.stage = .precodes(counts, done: 0)
        return .goesOn
    }

    mutating func readPrecodes(_ counts: DynamicCounts, done: Int) -> Step {
        for index in done..<counts.precodes {
            guard let length = self.bits.take(3) else {
                self.stage = .precodes(counts, done: index)
                return .stops(.needsInput)
            }
            self.codes.lengths[Self.precodeOrder[index]] = UInt8(truncatingIfNeeded: length)
        }
        guard self.codes.setPrecodes() else { return .stops(.corrupt) }
        self.stage = .lengths(counts, done: 0)
        return .goesOn
    }

    mutating func readLengths(_ counts: DynamicCounts, done: Int) -> Step {
        let count = counts.literals + counts.distances
        let (table, lengths) = (self.codes.precodes, self.codes.lengths)
        let mask: UInt64 = 1 &<< UInt64(table.bits) &- 1
        var index = done
        while index < count {
            if self.bits.count < 14 { self.bits.fill() }
            let entry = table.entries[Int(self.bits.buffer & mask)]
            let symbol = entry.value
            let length = entry.bitCount
            let extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7
            guard length &+ extra <= self.bits.count else {
                self.stage = .lengths(counts, done: index)
                return .stops(.needsInput)
            }
            let more = Int(self.bits.buffer &>> UInt64(length) & (1 &<< UInt64(extra) &- 1))
            self.bits.drop(length &+ extra)
            guard symbol >= 16 else {
                lengths[index] = UInt8(truncatingIfNeeded: symbol)
                index &+= 1
                continue
            }
            let repetitions = more &+ (symbol == 18 ? 11 : 3)
            guard symbol > 16 || index > 0, repetitions <= count &- index else { return .stops(.corrupt) }
            let value = symbol == 16 ? lengths[index &- 1] : 0
            (lengths + index).update(repeating: value, count: repetitions)
            index &+= repetitions
        }
        guard self.codes.set(literalCount: counts.literals, distanceCount: counts.distances) else {
            return .stops(.corrupt)
        }
        self.stage = .symbols
        return .goesOn
    }
}

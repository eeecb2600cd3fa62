/// The beginnings of blocks, and stored ones.
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

    /// After a block's last symbol.
    mutating func endBlock() {
        if self.isLastBlock {
            self.bits.align()
            self.stage = .checksum
        } else {
            self.stage = .block
        }
    }

    /// The length of a stored block, twice (3.2.4).
    mutating func readStored() -> Step {
        guard let lengths = self.bits.take(32) else { return .stops(.needsInput) }
        let length = lengths & 0xFFFF
        guard length == lengths >> 16 ^ 0xFFFF else { return .stops(.corrupt) }
        self.stage = .storedBytes(left: length)
        return .goesOn
    }

    /// Its bytes: those that are in the bit buffer already come first.
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
}

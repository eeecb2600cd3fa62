/// The symbols of a block (RFC 1951, 3.2.3), one after the other where there is little input.
extension Inflater {
    mutating func readSymbols() -> Step {
        if self.bits.left >= Self.fastInputBytes, !self.window.isFull {
            let step = self.readSymbolsFast()
            guard case .goesOn = step, case .symbols = self.stage else { return step }
        }
        while !self.window.isFull {
            if self.bits.count < 48 { self.bits.fill() }
            guard let entry = self.entry(of: self.codes.literals, after: 0) else { return .stops(.needsInput) }
            if entry.entry.isLiteral {
                self.window.put(entry.entry.byte)
                self.bits.drop(entry.end)
            } else if entry.entry.isEndOfBlock {
                self.bits.drop(entry.end)
                self.endBlock()
                return .goesOn
            } else {
                guard !entry.entry.isException else { return .stops(.corrupt) }
                if let step = self.readMatch(entry) { return step }
            }
        }
        return .stops(.isFull)
    }

    /// A symbol in the bit buffer.
    private struct Found {
        let entry: InflateEntry
        /// Where its code begins, or the part of it that is looked up in a subtable.
        let start: Int
        /// Where its bits end, extra bits included, which need not be there.
        let end: Int

        func amount(in bits: UInt64) -> Int { self.entry.amount(in: bits &>> UInt64(self.start)) }
    }

    /// The symbol after `start` bits; nil as long as there is not all of its code.
    private func entry(of table: InflateTable, after start: Int) -> Found? {
        var start = start
        var entry = table.entries[Int(self.bits.buffer &>> UInt64(start) & (1 &<< UInt64(table.bits) &- 1))]
        if entry.isSubtable {
            start += entry.bitCount
            entry = table.entries[entry.index(of: self.bits.buffer &>> UInt64(start))]
        }
        guard start + entry.codeBits <= self.bits.count else { return nil }
        return Found(entry: entry, start: start, end: start + entry.bitCount)
    }

    /// Nothing is taken of the input until all bits of the match are there, 48 at most.
    ///
    /// - Returns: What ends the loop.
    private mutating func readMatch(_ length: Found) -> Step? {
        guard length.end <= self.bits.count, let distance = self.entry(of: self.codes.distances, after: length.end)
        else { return .stops(.needsInput) }
        guard !distance.entry.isException else { return .stops(.corrupt) }
        guard distance.end <= self.bits.count else { return .stops(.needsInput) }
        let back = distance.amount(in: self.bits.buffer)
        guard back <= self.window.reach else { return .stops(.corrupt) }
        self.window.repeat(distance: back, length: length.amount(in: self.bits.buffer))
        self.bits.drop(distance.end)
        return nil
    }
}

/// The careful loop over a block's symbols (RFC 1951, 3.2.3), which checks for the end of the input at each symbol.
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

    /// A decoded symbol of the bit buffer.
    private struct Found {
        let entry: InflateEntry
        /// The first bit of its code, or of the part of its code that is looked up in a subtable.
        let start: Int
        /// The bit after its end, including extra bits, which may be missing.
        let end: Int

        func amount(in bits: UInt64) -> Int { self.entry.amount(in: bits &>> UInt64(self.start)) }
    }

    /// The symbol after `start` bits; `nil` if its code is incomplete.
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

    /// Copies a match. Consumes nothing until all of its bits, at most 48, are available.
    ///
    /// - Returns: The step that ends the loop; `nil` after a match.
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

/// The fast loop over a block's symbols, for enough input and room that no symbol needs a check.
///
/// As in libdeflate, bits are added eight bytes at a time without a branch, the next code is looked up before the
/// previous one's bits are dropped, and copies write beyond their end.
extension Inflater {
    /// Maximum input bytes that an iteration reads: it takes up to seven bytes four times, and loads eight.
    static var fastInputBytes: Int { 32 }

    /// Decodes until fewer than ``fastInputBytes`` are left, the window is full, or the block ends.
    mutating func readSymbolsFast() -> Step {
        let inputEnd = self.bits.end - Self.fastInputBytes
        let outputEnd = self.window.limit
        let outputStart = self.window.next - self.window.reach
        let literals = UnsafePointer(self.codes.literals.entries)
        let distances = UnsafePointer(self.codes.distances.entries)
        let literalMask: UInt64 = 1 &<< UInt64(self.codes.literals.bits) &- 1
        let distanceMask: UInt64 = 1 &<< UInt64(self.codes.distances.bits) &- 1
        var reader = InflateFastBits(self.bits)
        var output = self.window.next
        var result = Step.goesOn
        reader.refill()
        var entry = literals[Int(reader.buffer & literalMask)]
        // At the start of each iteration there are 56 bits or more, including `entry`'s.
        repeat {
            var before = reader.buffer
            reader.drop(entry)
            if entry.isLiteral {  // 11 bits at most
                output[0] = entry.byte
                entry = literals[Int(reader.buffer & literalMask)]
                before = reader.buffer
                reader.drop(entry)
                if entry.isLiteral {  // 22
                    output[1] = entry.byte
                    entry = literals[Int(reader.buffer & literalMask)]
                    before = reader.buffer
                    reader.drop(entry)
                    if entry.isLiteral {  // 33
                        output[2] = entry.byte
                        output += 3
                        entry = literals[Int(reader.buffer & literalMask)]
                        reader.refill()
                        continue
                    }
                    output += 2
                } else {
                    output += 1
                }
            }
            if entry.isException {
                if entry.isSubtable {
                    entry = literals[entry.index(of: reader.buffer)]
                    before = reader.buffer
                    reader.drop(entry)
                    if entry.isLiteral {  // 37
                        output[0] = entry.byte
                        output += 1
                        entry = literals[Int(reader.buffer & literalMask)]
                        reader.refill()
                        continue
                    }
                }
                if entry.isException {
                    if entry.isEndOfBlock {
                        self.endBlockAfter(&reader, output)
                        return .goesOn
                    }
                    result = .stops(.corrupt)
                    break
                }
            }
            // At most 42 bits so far, with a subtable's 15 and 5 extra bits; the other 14 suffice to look up a
            // distance.
            let length = entry.amount(in: before)
            entry = distances[Int(reader.buffer & distanceMask)]
            // A distance takes up to 28 bits, and the next code is looked up before bits are added.
            if reader.count < 28 + 11 { reader.refill() }
            if entry.isException {
                guard entry.isSubtable else {
                    result = .stops(.corrupt)
                    break
                }
                reader.drop(entry)
                entry = distances[entry.index(of: reader.buffer)]
                guard !entry.isException else {
                    result = .stops(.corrupt)
                    break
                }
            }
            before = reader.buffer
            reader.drop(entry)
            let distance = entry.amount(in: before)
            guard distance <= output - outputStart else {
                result = .stops(.corrupt)
                break
            }
            entry = literals[Int(reader.buffer & literalMask)]
            reader.refill()
            InflateCopy.copy(output, distance: distance, length: length)
            output += length
        } while reader.next <= inputEnd && output < outputEnd
        self.bits = reader.rest(of: self.bits)
        self.window.next = output
        return result
    }

    private mutating func endBlockAfter(_ reader: inout InflateFastBits, _ output: UnsafeMutablePointer<UInt8>) {
        self.bits = reader.rest(of: self.bits)
        self.window.next = output
        self.endBlock()
    }
}

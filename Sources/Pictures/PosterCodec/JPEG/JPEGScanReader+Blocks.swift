/// Decodes the coefficients of blocks (T.81, F.2.2 and G.1.2).
extension JPEGScanReader {
    /// Maximum number of bits of a symbol (16) and its value (11).
    private static let symbolBits = 27

    /// Reads a DC coefficient, which is coded as the difference from the previous block's.
    @inline(__always) mutating func readDC(
        _ block: UnsafeMutablePointer<Int16>, part: Int, _ table: JPEGSymbolTable
    ) -> Bool {
        if self.bits.count < Self.symbolBits { self.bits.refill() }
        var entry = table.entry(of: self.bits.buffer)
        if entry.isException { entry = table.longEntry(of: self.bits.buffer) }
        guard !entry.isException else { return false }
        let value = Int(self.lastDC[part]) + entry.value(in: self.bits.buffer)
        self.bits.drop(entry.bitCount)
        self.lastDC[part] = Int32(truncatingIfNeeded: value)
        // libjpeg would truncate larger values.
        guard let scaled = Int16(exactly: value &<< self.lowBit) else { return false }
        block[0] = scaled
        return true
    }

    /// Reads the AC coefficients of a block of a sequential scan.
    @inline(__always) mutating func readAC(_ block: UnsafeMutablePointer<Int16>, _ table: JPEGSymbolTable) -> Bool {
        var bits = self.bits
        defer { self.bits = bits }
        let order = self.order
        var position = 1
        while position < 64 {
            if bits.count < Self.symbolBits { bits.refill() }
            var entry = table.entry(of: bits.buffer)
            if entry.isException {
                if entry.codeBits == 0 { entry = table.longEntry(of: bits.buffer) }
                if entry.isException {
                    guard entry.codeBits > 0 else { return false }
                    bits.drop(entry.codeBits)
                    guard entry.run == 15 else { return true }
                    position += 16
                    continue
                }
            }
            position += entry.run
            guard position < 64 else { return false }
            block[Int(order[position])] = Int16(truncatingIfNeeded: entry.value(in: bits.buffer))
            bits.drop(entry.bitCount)
            position += 1
        }
        // Sixteen zeros may end a block, but not exceed it.
        return position == 64
    }

    /// Reads the first bits of a band's coefficients.
    mutating func readFirstAC(
        _ coefficients: UnsafeMutablePointer<Int16>, _ masks: UnsafeMutablePointer<UInt64>, count: Int
    ) -> Bool {
        guard let table = self.parts[0].ac else { return false }
        var bits = self.bits
        defer { self.bits = bits }
        let order = self.order
        let (first, last, lowBit) = (self.band.lowerBound, self.band.upperBound, self.lowBit)
        var block = min(self.emptyBlocks, count)
        self.emptyBlocks -= block
        while block < count {
            let values = coefficients + 64 * block
            var mask: UInt64 = 0
            var position = first
            while position <= last {
                if bits.count < Self.symbolBits { bits.refill() }
                var entry = table.entry(of: bits.buffer)
                if entry.isException {
                    if entry.codeBits == 0 { entry = table.longEntry(of: bits.buffer) }
                    if entry.isException {
                        guard entry.codeBits > 0 else { return false }
                        bits.drop(entry.codeBits)
                        if entry.run == 15 {
                            position += 16
                            continue
                        }
                        self.emptyBlocks = 1 << entry.run - 1
                        if entry.run > 0 { self.emptyBlocks += bits.take(entry.run) }
                        break
                    }
                }
                position += entry.run
                guard position <= last else { return false }
                let value = entry.value(in: bits.buffer) &<< lowBit
                values[Int(order[position])] = Int16(truncatingIfNeeded: value)
                bits.drop(entry.bitCount)
                mask |= 1 &<< UInt64(truncatingIfNeeded: position)
                position += 1
            }
            masks[block] |= mask
            block += 1
            let empty = min(self.emptyBlocks, count - block)
            self.emptyBlocks -= empty
            block += empty
        }
        return true
    }

    /// Reads one more bit of a band's coefficients.
    mutating func readRefinedAC(
        _ coefficients: UnsafeMutablePointer<Int16>, _ masks: UnsafeMutablePointer<UInt64>, count: Int
    ) -> Bool {
        guard let table = self.parts[0].ac else { return false }
        var bits = self.bits
        defer { self.bits = bits }
        let order = self.order
        let (first, last) = (self.band.lowerBound, self.band.upperBound)
        let bit = Int16(1) << Int16(self.lowBit)
        let band = UInt64.max << UInt64(first) & UInt64.max >> UInt64(63 - last)
        for block in 0..<count {
            let values = coefficients + 64 * block
            // The nonzero coefficients from the current position on; `zeros` has the others.
            var known = masks[block] & band
            if self.emptyBlocks == 0 {
                var zeros = ~known & band
                var added: UInt64 = 0
                var position = first
                while position <= last {
                    if bits.count < Self.symbolBits { bits.refill() }
                    var entry = table.entry(of: bits.buffer)
                    if entry.codeBits == 0 { entry = table.longEntry(of: bits.buffer) }
                    guard entry.codeBits > 0, entry.size <= 1 else { return false }
                    bits.drop(entry.codeBits)
                    if entry.size == 0, entry.run < 15 {
                        self.emptyBlocks = 1 << entry.run
                        if entry.run > 0 { self.emptyBlocks += bits.take(entry.run) }
                        break
                    }
                    let isPositive = entry.size == 1 && bits.take(1) == 1
                    // The run's zeros are skipped; the next zero is the position of the new coefficient.
                    for _ in 0..<entry.run { zeros &= zeros &- 1 }
                    guard zeros != 0 else {
                        // Sixteen zeros may exceed the band.
                        guard entry.size == 0 else { return false }
                        position = last + 1
                        break
                    }
                    let target = zeros.trailingZeroBitCount
                    zeros &= zeros &- 1
                    let passed = known & (1 &<< UInt64(truncatingIfNeeded: target) &- 1)
                    known ^= passed
                    Self.refine(values, passed, by: bit, order, &bits)
                    if entry.size == 1 {
                        values[Int(order[target])] = isPositive ? bit : 0 &- bit
                        added |= 1 &<< UInt64(truncatingIfNeeded: target)
                    }
                    position = target + 1
                }
                masks[block] |= added
                if self.emptyBlocks == 0 {
                    Self.refine(values, known, by: bit, order, &bits)
                    continue
                }
            }
            Self.refine(values, known, by: bit, order, &bits)
            self.emptyBlocks -= 1
        }
        return true
    }

    /// Reads a bit for each coefficient of `positions`; a set bit adds to its magnitude.
    @inline(__always) private static func refine(
        _ values: UnsafeMutablePointer<Int16>, _ positions: UInt64, by bit: Int16, _ order: UnsafePointer<UInt8>,
        _ bits: inout JPEGBits
    ) {
        var rest = positions
        while rest != 0 {
            if bits.count == 0 { bits.refill() }
            let place = Int(order[rest.trailingZeroBitCount])
            rest &= rest &- 1
            // Branches would be unpredictable.
            let isSet = Int16(truncatingIfNeeded: Int(truncatingIfNeeded: bits.buffer &>> 63))
            bits.drop(1)
            let value = values[place]
            let sign = value &>> 15
            values[place] = value &+ (((bit & (0 &- isSet)) ^ sign) &- sign)
        }
    }
}

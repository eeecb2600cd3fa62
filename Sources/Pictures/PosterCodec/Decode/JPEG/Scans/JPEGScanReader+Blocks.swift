/// The coefficients of blocks (T.81, F.2.2 and G.1.2).
extension JPEGScanReader {
    /// The most bits of a symbol and its value: 16 and 11.
    private static let symbolBits = 27

    /// The difference from the block before.
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
        // libjpeg would cut larger ones off.
        guard let scaled = Int16(exactly: value &<< self.lowBit) else { return false }
        block[0] = scaled
        return true
    }

    /// All other coefficients of a block of a sequential scan.
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
        // Sixteen zeros at the end are no more than a strange way to end it.
        return position == 64
    }

    /// The first bits of a band's coefficients.
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

    /// One more bit of a band's coefficients.
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
            // The coefficients from the position on that are known not to be zero, and the others.
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
                    // The zeros of the run are passed over; the one after them is where the new coefficient stands.
                    for _ in 0..<entry.run { zeros &= zeros &- 1 }
                    guard zeros != 0 else {
                        // Sixteen zeros may lead past the end.
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

    /// Reads a bit for each of the coefficients `positions`; a set one adds to its magnitude.
    @inline(__always) private static func refine(
        _ values: UnsafeMutablePointer<Int16>, _ positions: UInt64, by bit: Int16, _ order: UnsafePointer<UInt8>,
        _ bits: inout JPEGBits
    ) {
        var rest = positions
        while rest != 0 {
            if bits.count == 0 { bits.refill() }
            let place = Int(order[rest.trailingZeroBitCount])
            rest &= rest &- 1
            // Without branches, which the data would make unpredictable.
            let isSet = Int16(truncatingIfNeeded: Int(truncatingIfNeeded: bits.buffer &>> 63))
            bits.drop(1)
            let value = values[place]
            let sign = value &>> 15
            values[place] = value &+ (((bit & (0 &- isSet)) ^ sign) &- sign)
        }
    }
}

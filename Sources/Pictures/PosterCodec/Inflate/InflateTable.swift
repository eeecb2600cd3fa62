/// A decode table: the next bits of the input are the index of the code's entry.
///
/// Codes longer than the table has bits are continued in subtables behind it. Borrows its memory.
struct InflateTable {
    /// What decoding with a set of lengths that leaves codes unused means. What is allowed is what zlib allows.
    enum Gaps {
        /// A single code of one bit is fine, and none at all, as long as nothing else occurs.
        case areInvalid
        /// Only no code at all is fine: each bit stands for the first symbol.
        case areFirst
    }

    /// 2 to the power of `rootBits`, and subtables.
    let entries: UnsafeMutablePointer<InflateEntry>
    /// The most bits that are looked up at once.
    let rootBits: Int
    /// Those that are, by the latest lengths.
    private(set) var bits = 1

    private let capacity: Int

    init(_ entries: UnsafeMutablePointer<InflateEntry>, capacity: Int, rootBits: Int) {
        precondition(1 << rootBits <= capacity)
        self.entries = entries
        self.capacity = capacity
        self.rootBits = rootBits
    }

    /// Fills the table for the codes of `lengths` (RFC 1951, 3.2.2).
    ///
    /// - Parameters:
    ///   - lengths: Of each symbol's code in bits, 0...15; 0 is a symbol that does not occur.
    ///   - symbols: What the symbols mean, without their codes.
    ///   - sorted: Room for as many symbols.
    /// - Returns: Whether there can be such codes.
    mutating func fill(
        lengths: UnsafePointer<UInt8>, count: Int, symbols: UnsafePointer<InflateEntry>,
        sorted: UnsafeMutablePointer<UInt16>, gaps: Gaps
    ) -> Bool {
        var plan = InflateCodePlan()
        plan.sort(lengths, count: count, into: sorted)
        self.bits = min(self.rootBits, max(1, plan.longest))
        switch plan.room {
        case 0:
            return self.fill(plan, symbols: symbols, sorted: sorted + plan.unusedCount)
        case 1... where plan.longest == 0 || plan.longest == 1 && gaps == .areInvalid:
            let other = gaps == .areInvalid ? InflateEntry.invalid : symbols[0]
            let first = plan.longest == 0 ? other : symbols[Int(sorted[plan.unusedCount])]
            self.entries[0] = first.coded(1)
            self.entries[1] = other.coded(1)
            return true
        default: return false
        }
    }

    /// Codes are filled in as they follow each other, each bit-reversed, and the part that is done is doubled whenever
    /// they become longer: their first bits are the lowest.
    ///
    /// - Returns: Whether the table has room for them, as for all complete codes of so many symbols.
    private func fill(
        _ plan: InflateCodePlan, symbols: UnsafePointer<InflateEntry>, sorted: UnsafePointer<UInt16>
    ) -> Bool {
        var (code, next, length) = (0, 0, 1)
        while length <= self.bits {
            for _ in 0..<plan.counts[length] {
                self.entries[code] = symbols[Int(sorted[next])].coded(length)
                next &+= 1
                code = Self.code(after: code, length: length)
            }
            if length < self.bits {
                let done = 1 &<< length
                (self.entries + done).update(from: self.entries, count: done)
            }
            length &+= 1
        }
        var (end, prefix) = (1 &<< self.bits, -1)
        var start = end
        let mask = end &- 1
        while length <= plan.longest {
            for done in 0..<plan.counts[length] {
                if code & mask != prefix {
                    prefix = code & mask
                    start = end
                    let bits = plan.subtableBits(length: length, left: plan.counts[length] &- done, rootBits: self.bits)
                    end = start &+ 1 &<< bits
                    guard end <= self.capacity else { return false }
                    self.entries[prefix] = .subtable(start: start, bits: bits, rootBits: self.bits)
                }
                let entry = symbols[Int(sorted[next])].coded(length &- self.bits)
                for index in stride(from: start &+ code &>> self.bits, to: end, by: 1 &<< (length &- self.bits)) {
                    self.entries[index] = entry
                }
                next &+= 1
                code = Self.code(after: code, length: length)
            }
            length &+= 1
        }
        return true
    }

    /// The next code, both bit-reversed; 0 after the last, which is all ones.
    @inline(__always) private static func code(after code: Int, length: Int) -> Int {
        let free = UInt32(truncatingIfNeeded: code ^ (1 &<< length &- 1))
        guard free != 0 else { return 0 }
        let bit = 1 &<< (31 &- free.leadingZeroBitCount)
        return code & (bit &- 1) | bit
    }
}

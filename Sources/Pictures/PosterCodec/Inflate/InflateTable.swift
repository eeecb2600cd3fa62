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
        var plan = InflateLengthCounts()
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
        _ plan: InflateLengthCounts, symbols: UnsafePointer<InflateEntry>, sorted: UnsafePointer<UInt16>
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

/// What a decode table says about the code that comes next (RFC 1951, 3.2).
///
/// The low byte is how many bits belong to the symbol, its extra bits included; bits 8...11 are how many of them are
/// the code's own. Above them there are flags, and from bit 16 on the value: of a literal the byte, of a length or a
/// distance the smallest that it can be, of a subtable where it begins.
struct InflateEntry {
    let word: UInt32

    private static var literal: UInt32 { 1 << 31 }
    private static var exception: UInt32 { 1 << 15 }
    private static var subtable: UInt32 { 1 << 14 }
    private static var end: UInt32 { 1 << 13 }

    @inline(__always) private init(word: UInt32) { self.word = word }

    static func literal(_ byte: Int) -> Self { Self(word: Self.literal | UInt32(byte) << 16) }
    /// A length or a distance; its code is added by ``coded(_:)``.
    static func base(_ base: Int, extraBits: Int) -> Self { Self(word: UInt32(base) << 16 | UInt32(extraBits)) }
    static var endOfBlock: Self { Self(word: Self.exception | Self.end) }
    /// A code that must not occur.
    static var invalid: Self { Self(word: Self.exception) }
    /// The following `bits` bits are looked up from `start` on, after `rootBits` that led here.
    static func subtable(start: Int, bits: Int, rootBits: Int) -> Self {
        Self(word: UInt32(start) << 16 | Self.exception | Self.subtable | UInt32(bits << 8 | rootBits))
    }

    /// The symbol as `length` bits tell it.
    @inline(__always) func coded(_ length: Int) -> Self { Self(word: self.word &+ UInt32(length &* 0x101)) }

    @inline(__always) var isLiteral: Bool { self.word & Self.literal != 0 }
    /// Whether it is neither a literal nor a length nor a distance.
    @inline(__always) var isException: Bool { self.word & Self.exception != 0 }
    @inline(__always) var isSubtable: Bool { self.word & Self.subtable != 0 }
    @inline(__always) var isEndOfBlock: Bool { self.word & Self.end != 0 }

    /// The byte of a literal.
    @inline(__always) var byte: UInt8 { UInt8(truncatingIfNeeded: self.word &>> 16) }
    /// What is not a literal's.
    @inline(__always) var value: Int { Int(self.word &>> 16) }
    /// Bits of the code and of what follows it, or those that led to a subtable.
    @inline(__always) var bitCount: Int { Int(self.word & 0x3F) }
    /// Bits of the code alone, or those that a subtable is looked up with.
    @inline(__always) var codeBits: Int { Int(self.word &>> 8 & 0xF) }

    /// Where a subtable says more about `bits`, which come after those that led to it.
    @inline(__always) func index(of bits: UInt64) -> Int {
        self.value &+ Int(bits & (1 &<< UInt64(self.codeBits) &- 1))
    }

    /// A length or a distance; the lowest of `bits` are those of its code.
    @inline(__always) func amount(in bits: UInt64) -> Int {
        self.value &+ Int((bits & (1 &<< UInt64(self.word & 0x3F) &- 1)) &>> UInt64(self.word &>> 8 & 0xF))
    }
}

/// How many codes there are of each length, and whether all of them fit (RFC 1951, 3.2.2).
struct InflateLengthCounts {
    /// By length, 0...15.
    private(set) var counts = [16 of Int](repeating: 0)
    /// The length of the longest code in bits, 0 without codes.
    private(set) var longest = 0
    /// Codes of the longest length that remain unused; less than 0 when there are too many codes.
    private(set) var room = 1

    /// Symbols that do not occur.
    var unusedCount: Int { self.counts[0] }

    /// Sorts the symbols by the length of their codes, those that do not occur first.
    mutating func sort(_ lengths: UnsafePointer<UInt8>, count: Int, into sorted: UnsafeMutablePointer<UInt16>) {
        for symbol in 0..<count { self.counts[Int(lengths[symbol])] &+= 1 }
        var offsets = [16 of Int](repeating: 0)
        for length in 1..<16 {
            offsets[length] = offsets[length &- 1] &+ self.counts[length &- 1]
            if self.counts[length] > 0 { self.longest = length }
        }
        if self.longest > 0 {
            for length in 1...self.longest { self.room = 2 &* self.room &- self.counts[length] }
        }
        for symbol in 0..<count {
            let length = Int(lengths[symbol])
            sorted[offsets[length]] = UInt16(truncatingIfNeeded: symbol)
            offsets[length] &+= 1
        }
    }

    /// Bits of the subtable that begins at the code of `length` bits after which `left`, with itself, are as long.
    func subtableBits(length: Int, left: Int, rootBits: Int) -> Int {
        var bits = length &- rootBits
        var used = left
        while used < 1 &<< bits {
            bits &+= 1
            used = 2 &* used &+ self.counts[rootBits &+ bits]
        }
        return bits
    }
}

/// A decode table: the next bits of the input index the code's entry.
///
/// Codes longer than the table's bits continue in subtables after it. Borrows its memory.
struct InflateTable {
    /// The treatment of an incomplete code; the same as in zlib.
    enum Gaps {
        /// A single code of one bit is valid, and so is no code at all; other bits are errors.
        case areInvalid
        /// Only no code at all is valid: each bit stands for the first symbol.
        case areFirst
    }

    /// 2 to the power of `rootBits` entries, then the subtables.
    let entries: UnsafeMutablePointer<InflateEntry>
    /// Maximum bits of a lookup.
    let rootBits: Int
    /// The bits of a lookup with the current code.
    private(set) var bits = 1

    private let capacity: Int

    init(_ entries: UnsafeMutablePointer<InflateEntry>, capacity: Int, rootBits: Int) {
        precondition(1 << rootBits <= capacity)
        self.entries = entries
        self.capacity = capacity
        self.rootBits = rootBits
    }

    /// Copies a table of the same capacity.
    mutating func copy(_ other: InflateTable) {
        precondition(other.capacity == self.capacity)
        self.entries.update(from: other.entries, count: self.capacity)
        self.bits = other.bits
    }

    /// Fills the table for the codes of `lengths` (RFC 1951, 3.2.2), 0...15 bits; 0 for a symbol that does not occur.
    ///
    /// - Parameter symbols: The entry of each symbol, without its code.
    /// - Returns: Whether the code is valid.
    mutating func fill(
        lengths: UnsafePointer<UInt8>, count: Int, symbols: UnsafePointer<InflateEntry>, gaps: Gaps
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) {
            self.fill(lengths: lengths, count: count, symbols: symbols, sorted: $0.baseAddress!, gaps: gaps)
        }
    }

    /// - Parameter sorted: Scratch memory for `count` symbols.
    private mutating func fill(
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

    /// Writes the codes in their order, each bit-reversed, and doubles the finished part whenever the length increases,
    /// because a code's first bits are the lowest.
    ///
    /// - Returns: Whether the table has room, as it has for every complete code of its alphabet.
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

/// An entry of a decode table (RFC 1951, 3.2).
///
/// The low byte is the number of the symbol's bits, including extra bits; bits 8...11 are the number of the code's own
/// bits. Above are flags, and from bit 16 on the value: a literal's byte, the base of a length or a distance, or the
/// index of a subtable.
struct InflateEntry {
    let word: UInt32

    private static var literal: UInt32 { 1 << 31 }
    private static var exception: UInt32 { 1 << 15 }
    private static var subtable: UInt32 { 1 << 14 }
    private static var end: UInt32 { 1 << 13 }

    @inline(__always) private init(word: UInt32) { self.word = word }

    static func literal(_ byte: Int) -> Self { Self(word: Self.literal | UInt32(byte) << 16) }
    /// The base of a length or a distance; its code is added by ``coded(_:)``.
    static func base(_ base: Int, extraBits: Int) -> Self { Self(word: UInt32(base) << 16 | UInt32(extraBits)) }
    static var endOfBlock: Self { Self(word: Self.exception | Self.end) }
    /// A code that must not occur.
    static var invalid: Self { Self(word: Self.exception) }
    /// A subtable at `start`, indexed by the `bits` bits after the `rootBits` of the table.
    static func subtable(start: Int, bits: Int, rootBits: Int) -> Self {
        Self(word: UInt32(start) << 16 | Self.exception | Self.subtable | UInt32(bits << 8 | rootBits))
    }

    @inline(__always) func coded(_ length: Int) -> Self { Self(word: self.word &+ UInt32(length &* 0x101)) }

    @inline(__always) var isLiteral: Bool { self.word & Self.literal != 0 }
    /// Whether it is a subtable, the end of the block, or invalid.
    @inline(__always) var isException: Bool { self.word & Self.exception != 0 }
    @inline(__always) var isSubtable: Bool { self.word & Self.subtable != 0 }
    @inline(__always) var isEndOfBlock: Bool { self.word & Self.end != 0 }

    @inline(__always) var byte: UInt8 { UInt8(truncatingIfNeeded: self.word &>> 16) }
    /// The base of a length or distance, or the index of a subtable.
    @inline(__always) var value: Int { Int(self.word &>> 16) }
    /// The bits of the code and its extra bits, or the bits that index the table before a subtable.
    @inline(__always) var bitCount: Int { Int(self.word & 0x3F) }
    /// The bits of the code alone, or the bits that index a subtable.
    @inline(__always) var codeBits: Int { Int(self.word &>> 8 & 0xF) }

    /// The index of a subtable's entry for `bits`, which follow the table's bits.
    @inline(__always) func index(of bits: UInt64) -> Int {
        self.value &+ Int(bits & (1 &<< UInt64(self.codeBits) &- 1))
    }

    /// The length or distance, with extra bits; the lowest of `bits` are its code.
    @inline(__always) func amount(in bits: UInt64) -> Int {
        self.value &+ Int((bits & (1 &<< UInt64(self.word & 0x3F) &- 1)) &>> UInt64(self.word &>> 8 & 0xF))
    }
}

/// The number of codes of each length, and whether they form a complete code (RFC 1951, 3.2.2).
struct InflateLengthCounts {
    /// By length, 0...15.
    private(set) var counts = [16 of Int](repeating: 0)
    /// The longest code in bits; 0 without codes.
    private(set) var longest = 0
    /// The unused codes of the longest length; negative if there are too many codes.
    private(set) var room = 1

    var unusedCount: Int { self.counts[0] }

    /// Counts the lengths and sorts the symbols by length, unused symbols first.
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

    /// The bits of the subtable that begins with a code of `length` bits, where `left` codes of this length are left.
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

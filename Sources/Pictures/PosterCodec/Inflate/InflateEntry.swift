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

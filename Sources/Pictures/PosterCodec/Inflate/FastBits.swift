/// ``InflateBits`` while there is enough input.
struct FastBits {
    /// The next bits, the first of them lowest; above those that count there may be the following ones already.
    private(set) var buffer: UInt64
    /// How many there are, in the low byte.
    private var countWord: UInt32
    private(set) var next: UnsafePointer<UInt8>

    @inline(__always) init(_ bits: InflateBits) {
        self.buffer = bits.buffer
        self.countWord = UInt32(truncatingIfNeeded: bits.count)
        self.next = bits.next
    }

    @inline(__always) var count: UInt8 { UInt8(truncatingIfNeeded: self.countWord) }

    /// Sees to 56 bits or more. Eight bytes must be there.
    @inline(__always) mutating func refill() {
        let word = UInt64(littleEndian: UnsafeRawPointer(self.next).loadUnaligned(as: UInt64.self))
        self.buffer |= word &<< UInt64(truncatingIfNeeded: self.countWord)
        self.next += 7
        self.next -= Int(self.countWord &>> 3 & 7)
        self.countWord |= 56
    }

    /// The whole entry is subtracted, of which only the low byte matters.
    @inline(__always) mutating func drop(_ entry: InflateEntry) {
        self.buffer = self.buffer &>> UInt64(truncatingIfNeeded: entry.word)
        self.countWord &-= entry.word
    }

    /// What is left of `bits`, the input from which this was made.
    func rest(of bits: InflateBits) -> InflateBits {
        var rest = bits
        rest.count = Int(self.count)
        rest.buffer = self.buffer & (1 &<< UInt64(self.count) &- 1)
        rest.next = self.next
        return rest
    }
}

/// The bits of a piece of input, from the lowest of each byte on (RFC 1951, 3.1.1).
struct InflateBits {
    /// The next bits, the first of them lowest; above them there are zeros.
    var buffer: UInt64 = 0
    /// How many of them there are, 0...63.
    var count = 0
    /// What was not yet put there.
    var next: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>

    /// Bytes of input beside the buffer.
    @inline(__always) var left: Int { self.end - self.next }

    /// Sees to more than 55 bits, or all there are.
    mutating func fill() {
        if self.left >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(self.next).loadUnaligned(as: UInt64.self))
            self.buffer |= word &<< UInt64(self.count)
            self.next += (63 &- self.count) &>> 3
            self.count |= 56
            self.buffer &= 1 &<< UInt64(self.count) &- 1
            return
        }
        while self.count < 56, self.left > 0 {
            self.buffer |= UInt64(self.next.pointee) &<< UInt64(self.count)
            self.next += 1
            self.count &+= 8
        }
    }

    mutating func drop(_ count: Int) {
        self.buffer = self.buffer &>> UInt64(count)
        self.count &-= count
    }

    /// Takes up to 32 bits as a number; nil, and nothing, as long as there are too few.
    mutating func take(_ count: Int) -> Int? {
        if self.count < count { self.fill() }
        guard self.count >= count else { return nil }
        let bits = self.buffer & (1 &<< UInt64(count) &- 1)
        self.drop(count)
        return Int(bits)
    }

    /// Leaves out what remains of a byte.
    mutating func align() {
        self.drop(self.count & 7)
    }
}

/// ``InflateBits`` while there is enough input.
struct InflateFastBits {
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

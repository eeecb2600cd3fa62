/// Reads a piece of input bit by bit, the least significant bit of each byte first (RFC 1951, 3.1.1).
struct InflateBits {
    /// The next bits, the first one lowest; the bits above them are zero.
    var buffer: UInt64 = 0
    /// The number of bits in the buffer, 0...63.
    var count = 0
    /// The input that is not in the buffer.
    var next: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>

    /// The number of input bytes that are not in the buffer.
    @inline(__always) var left: Int { self.end - self.next }

    /// Fills the buffer to at least 56 bits, or with all remaining bits.
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

    /// Takes up to 32 bits as a number; returns `nil`, taking nothing, if there are too few.
    mutating func take(_ count: Int) -> Int? {
        if self.count < count { self.fill() }
        guard self.count >= count else { return nil }
        let bits = self.buffer & (1 &<< UInt64(count) &- 1)
        self.drop(count)
        return Int(bits)
    }

    /// Drops the rest of a partly read byte.
    mutating func align() {
        self.drop(self.count & 7)
    }
}

/// ``InflateBits`` without checks for the end of the input.
struct InflateFastBits {
    /// The next bits, the first one lowest; the bits above `count` may already hold following ones.
    private(set) var buffer: UInt64
    /// The number of bits, in the low byte.
    private var countWord: UInt32
    private(set) var next: UnsafePointer<UInt8>

    @inline(__always) init(_ bits: InflateBits) {
        self.buffer = bits.buffer
        self.countWord = UInt32(truncatingIfNeeded: bits.count)
        self.next = bits.next
    }

    @inline(__always) var count: UInt8 { UInt8(truncatingIfNeeded: self.countWord) }

    /// Fills the buffer to at least 56 bits. Eight bytes of input must remain.
    @inline(__always) mutating func refill() {
        let word = UInt64(littleEndian: UnsafeRawPointer(self.next).loadUnaligned(as: UInt64.self))
        self.buffer |= word &<< UInt64(truncatingIfNeeded: self.countWord)
        self.next += 7
        self.next -= Int(self.countWord &>> 3 & 7)
        self.countWord |= 56
    }

    /// Drops an entry's bits. Subtracts the whole word, as only the low byte matters.
    @inline(__always) mutating func drop(_ entry: InflateEntry) {
        self.buffer = self.buffer &>> UInt64(truncatingIfNeeded: entry.word)
        self.countWord &-= entry.word
    }

    /// The unread rest of `bits`, the reader that this one was created from.
    func rest(of bits: InflateBits) -> InflateBits {
        var rest = bits
        rest.count = Int(self.count)
        rest.buffer = self.buffer & (1 &<< UInt64(self.count) &- 1)
        rest.next = self.next
        return rest
    }
}

/// Reads entropy-coded data of a JPEG bit by bit, the most significant bit of each byte first (T.81, F.2.2.5).
///
/// After the end of the data or the next marker, it supplies zeros, so that a decoder needs no check per symbol;
/// ``isIntact`` reports afterwards whether any were taken.
struct JPEGBits {
    /// The next bits, the first one highest. After the first ``count`` bits, it may hold some of the following ones.
    private(set) var buffer: UInt64 = 0
    /// The number of bits in the buffer, 0...63.
    private(set) var count = 0
    /// The number of supplied bits that are not in the data.
    private var padding = 0
    private var next: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    /// - Parameter data: Must outlive the reader.
    init(_ data: UnsafeBufferPointer<UInt8>) {
        // An empty buffer may have no address; nothing is read from it.
        self.next = data.baseAddress ?? UnsafePointer(bitPattern: 8)!
        self.end = self.next + data.count
    }

    /// Fills the buffer to at least 56 bits.
    @inline(__always) mutating func refill() {
        if self.end - self.next >= 8 {
            let word = UInt64(bigEndian: UnsafeRawPointer(self.next).loadUnaligned(as: UInt64.self))
            // Whether any byte is 0xFF, which begins a marker or a stuffed zero.
            if (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 {
                self.buffer |= word &>> UInt64(truncatingIfNeeded: self.count)
                self.next += (63 &- self.count) &>> 3
                self.count |= 56
                return
            }
        }
        self.refillByByte()
    }

    @inline(never) private mutating func refillByByte() {
        self.buffer &= ~(UInt64.max >> UInt64(self.count))
        while self.count < 56 {
            guard self.next < self.end, self.next[0] != 0xFF || (self.end - self.next > 1 && self.next[1] == 0) else {
                self.padding &+= 56 &- self.count
                self.count = 56
                return
            }
            self.buffer |= UInt64(self.next[0]) << UInt64(56 - self.count)
            self.next += self.next[0] == 0xFF ? 2 : 1
            self.count &+= 8
        }
    }

    /// Drops the next `count` bits, which must be in the buffer; at most 63.
    @inline(__always) mutating func drop(_ count: Int) {
        self.buffer = self.buffer &<< UInt64(truncatingIfNeeded: count)
        self.count &-= count
    }

    /// Takes 1 to 32 bits as a number.
    @inline(__always) mutating func take(_ count: Int) -> Int {
        if self.count < count { self.refill() }
        let bits = Int(truncatingIfNeeded: self.buffer &>> UInt64(truncatingIfNeeded: 64 &- count))
        self.drop(count)
        return bits
    }

    /// Whether all taken bits come from the data.
    var isIntact: Bool { self.padding <= self.count }

    /// Whether the data is used up, except for the rest of a byte.
    var isAtEnd: Bool { self.isIntact && self.count - self.padding < 8 && self.next == self.end }

    /// Skips restart marker `index` (0...7).
    ///
    /// - Returns: Whether the marker is next, after at most the rest of a byte.
    mutating func restart(_ index: Int) -> Bool {
        guard self.isIntact, self.count - self.padding < 8, self.end - self.next >= 2,
            self.next[0] == 0xFF, self.next[1] == 0xD0 + UInt8(truncatingIfNeeded: index)
        else { return false }
        self.next += 2
        self.buffer = 0
        self.count = 0
        self.padding = 0
        return true
    }
}

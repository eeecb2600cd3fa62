/// Reads VP8L data bit by bit, the least significant bit of a byte first (RFC 9649, 3.2).
///
/// Reads zeros after the end, so loops must check ``isPastEnd``.
struct WebPBitReader {
    private let bytes: UnsafeRawBufferPointer
    private let end: Int
    /// The offset of the next bit in the file, in bits.
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        self.end = 8 * min(range.upperBound, bytes.count)
        self.position = 8 * range.lowerBound
    }

    /// Whether bits were read after the end.
    var isPastEnd: Bool { self.position > self.end }

    /// The next bits, at least 56, the first one in bit 0.
    var window: UInt64 {
        let offset = self.position >> 3
        guard offset + 8 <= self.end >> 3 else { return self.lastWindow(at: offset) }
        let word = self.bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return UInt64(littleEndian: word) >> UInt64(self.position & 7)
    }

    private func lastWindow(at offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<max(0, self.end >> 3 - offset) {
            word |= UInt64(self.bytes[offset + index]) << UInt64(8 * index)
        }
        return word >> UInt64(self.position & 7)
    }

    /// The error of invalid data; ``CodecError/truncated`` after its end.
    func damage(_ reason: String) -> CodecError { self.isPastEnd ? .truncated : .damaged(reason: reason) }

    mutating func skip(_ count: Int) {
        self.position += count
    }

    /// - Parameter count: At most 32.
    mutating func read(_ count: Int) -> Int {
        let value = Int(truncatingIfNeeded: self.window & (1 << UInt64(count) - 1))
        self.position += count
        return value
    }
}

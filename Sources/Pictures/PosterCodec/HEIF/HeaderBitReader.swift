/// Reads a header of AV1 or HEVC bit by bit, the highest bit of each byte first (AV1 specification, 4.10; ITU-T H.265,
/// 9.2). Borrows its input.
struct HeaderBitReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// - Parameter count: At most 32.
    mutating func number(_ count: Int) throws(CodecError) -> Int {
        guard self.position + count <= 8 * self.bytes.count else {
            throw .damaged(reason: "a codec's header that is too short")
        }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(self.bytes[self.position >> 3] >> UInt8(7 - self.position & 7) & 1)
            self.position += 1
        }
        return value
    }

    mutating func flag() throws(CodecError) -> Bool { try self.number(1) == 1 }

    mutating func skip(_ count: Int) throws(CodecError) { _ = try self.number(count) }

    /// Skips a number of variable length (4.10.3).
    mutating func skipVariable() throws(CodecError) {
        var zeroCount = 0
        while try !self.flag() { zeroCount += 1 }
        if zeroCount < 32 { try self.skip(zeroCount) }
    }

    /// Reads a number of variable length, an Exp-Golomb code of at most 63 bits.
    mutating func variable() throws(CodecError) -> Int {
        var zeroCount = 0
        while try !self.flag() { zeroCount += 1 }
        guard zeroCount < 32 else { throw .damaged(reason: "a codec's header with a number out of range") }
        return try 1 << zeroCount - 1 + self.number(zeroCount)
    }
}

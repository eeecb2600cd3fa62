/// Decodes the codes of a GIF's picture (GIF89a, appendix F: LZW of variable length) to colour indices. Borrows its
/// input.
struct GIFCodeReader: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    /// The next byte, and the end of its sub-block.
    private var offset, blockEnd: Int
    /// Bits that were read but not used, the next one lowest.
    private var bits: UInt32 = 0
    private var bitCount = 0

    private let clearCode: Int
    private var codeLength: Int
    /// The code to be defined next, up to ``codeLimit``.
    private var nextCode: Int
    private var previous: Int?
    private var firstOfPrevious: UInt8 = 0
    // The string of a code is its prefix's string plus one index.
    private let prefixes: ScratchMemory<UInt16>
    private let suffixes: ScratchMemory<UInt8>
    /// The string of the last code, reversed, as far as it has not been taken.
    private let string: ScratchMemory<UInt8>
    private var stringCount = 0

    /// Codes have at most 12 bits.
    private static let codeLimit = 1 << 12

    /// The memory of the tables, in bytes.
    static let byteCount = 4 * Self.codeLimit + 1

    /// - Parameter start: The offset of the first code size; sub-blocks follow it.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int) throws(CodecError) {
        guard start < bytes.count else { throw .truncated }
        let size = Int(bytes[start])
        // Browsers accept sizes up to 11: codes then have one bit more, and at most 12.
        guard (1...11).contains(size) else { throw .damaged(reason: "a GIF with codes of impossible length") }
        // Behind the last error: Swift 6.2 frees what an initializer has set twice if it throws.
        self.prefixes = ScratchMemory(count: Self.codeLimit, repeating: 0)
        self.suffixes = ScratchMemory(count: Self.codeLimit, repeating: 0)
        self.string = ScratchMemory(count: Self.codeLimit + 1)
        self.bytes = bytes
        (self.offset, self.blockEnd) = (start + 1, start + 1)
        self.clearCode = 1 << size
        self.codeLength = size + 1
        self.nextCode = self.clearCode + 2
    }

    mutating func read(_ count: Int, into indices: UnsafeMutablePointer<UInt8>) throws(CodecError) {
        var done = 0
        while done < count {
            if self.stringCount == 0 { try self.readString() }
            let part = min(self.stringCount, count - done)
            let last = self.string.start + self.stringCount
            for index in 1...part { indices[done &+ index &- 1] = last[-index] }
            self.stringCount -= part
            done += part
        }
    }

    /// Decodes the next code that stands for indices, past control codes.
    private mutating func readString() throws(CodecError) {
        while true {
            let code = try self.readCode()
            if code == self.clearCode {
                self.codeLength = self.clearCode.trailingZeroBitCount + 1
                self.nextCode = self.clearCode + 2
                self.previous = nil
            } else if code == self.clearCode + 1 {
                throw .damaged(reason: "a GIF whose data ends before its picture")
            } else {
                return try self.expand(code)
            }
        }
    }

    private mutating func expand(_ code: Int) throws(CodecError) {
        let (string, prefixes, suffixes) = (self.string.start, self.prefixes.start, self.suffixes.start)
        var (rest, count) = (code, 0)
        if code >= self.nextCode {
            // The code that is being defined: the previous string plus its first index.
            guard code == self.nextCode, let previous = self.previous else {
                throw .damaged(reason: "a GIF with a code that is not defined")
            }
            string[0] = self.firstOfPrevious
            (rest, count) = (previous, 1)
        }
        while rest > self.clearCode {
            string[count] = suffixes[rest]
            rest = Int(prefixes[rest])
            count &+= 1
        }
        let first = UInt8(truncatingIfNeeded: rest)
        string[count] = first
        self.stringCount = count + 1
        if let previous, self.nextCode < Self.codeLimit {
            prefixes[self.nextCode] = UInt16(previous)
            suffixes[self.nextCode] = first
            self.nextCode += 1
            if self.nextCode == 1 << self.codeLength, self.nextCode < Self.codeLimit { self.codeLength += 1 }
        }
        self.previous = code
        self.firstOfPrevious = first
    }

    private mutating func readCode() throws(CodecError) -> Int {
        while self.bitCount < self.codeLength {
            if self.offset == self.blockEnd { try self.enterBlock() }
            self.bits |= UInt32(self.bytes[self.offset]) << UInt32(self.bitCount)
            self.offset += 1
            self.bitCount += 8
        }
        let code = Int(self.bits & (1 << UInt32(self.codeLength) - 1))
        self.bits >>= UInt32(self.codeLength)
        self.bitCount -= self.codeLength
        return code
    }

    private mutating func enterBlock() throws(CodecError) {
        guard self.offset < self.bytes.count else { throw .truncated }
        let count = Int(self.bytes[self.offset])
        guard count > 0 else { throw .damaged(reason: "a GIF whose data ends before its picture") }
        self.offset += 1
        guard self.offset < self.bytes.count else { throw .truncated }
        // The available bytes of a truncated sub-block may be all that the picture needs.
        self.blockEnd = min(self.offset + count, self.bytes.count)
    }
}

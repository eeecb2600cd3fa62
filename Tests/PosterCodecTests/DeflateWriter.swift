/// Writes a zlib stream bit by bit (RFC 1951, 3.1.1).
struct DeflateWriter {
    private(set) var bytes: [UInt8]
    private var bits = 0
    private var count = 0

    /// - Parameter header: The zlib header (RFC 1950, 2.2).
    init(header: [UInt8] = [0x78, 0x9C]) {
        self.bytes = header
    }

    /// Appends a number, lowest bit first.
    mutating func put(_ value: Int, _ length: Int) {
        self.bits |= value << self.count
        self.count += length
        while self.count >= 8 {
            self.bytes.append(UInt8(truncatingIfNeeded: self.bits))
            (self.bits, self.count) = (self.bits >> 8, self.count - 8)
        }
    }

    /// Appends a code, highest bit first.
    mutating func put(code: Int, _ length: Int) {
        for bit in (0..<length).reversed() { self.put(code >> bit & 1, 1) }
    }

    mutating func align() {
        if self.count > 0 { self.put(0, 8 - self.count) }
    }

    mutating func beginBlock(_ kind: Int, isLast: Bool = true) {
        self.put(isLast ? 1 : 0, 1)
        self.put(kind, 2)
    }

    mutating func putStored(_ bytes: [UInt8], isLast: Bool = false) {
        self.beginBlock(0, isLast: isLast)
        self.align()
        self.put(bytes.count, 16)
        self.put(bytes.count ^ 0xFFFF, 16)
        for byte in bytes { self.put(Int(byte), 8) }
    }

    /// Appends a symbol of the fixed codes (3.2.6).
    mutating func put(fixed symbol: Int) {
        switch symbol {
        case 0..<144: self.put(code: 0x30 + symbol, 8)
        case 144..<256: self.put(code: 0x190 + symbol - 144, 9)
        case 256..<280: self.put(code: symbol - 256, 7)
        default: self.put(code: 0xC0 + symbol - 280, 8)
        }
    }

    /// Appends a match with the fixed codes.
    mutating func putMatch(distance: Int, length: Int) {
        let (symbol, extra, bits) = Self.lengthSymbol(length)
        self.put(fixed: symbol)
        self.put(extra, bits)
        let code = (0..<30).last { Self.distanceBase($0).base <= distance } ?? 0
        let (base, extraBits) = Self.distanceBase(code)
        self.put(code: code, 5)
        self.put(distance - base, extraBits)
    }

    /// Begins a block of dynamic codes, and writes the code lengths in four bits each.
    mutating func beginDynamic(literals: [Int], distances: [Int], isLast: Bool = true) {
        self.beginBlock(2, isLast: isLast)
        self.put(literals.count - 257, 5)
        self.put(distances.count - 1, 5)
        self.put(15, 4)
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] {
            self.put(symbol < 16 ? 4 : 0, 3)
        }
        for length in literals + distances { self.put(code: length, 4) }
    }

    /// The stream with the checksum of `content`.
    func finished(_ content: [UInt8]) -> [UInt8] {
        var writer = self
        writer.align()
        return writer.bytes + PNGFile.number(Int(Self.adler(content)))
    }

    static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }

    private static func lengthSymbol(_ length: Int) -> (symbol: Int, extra: Int, bits: Int) {
        guard length < 258 else { return (285, 0, 0) }
        var base = 3
        for symbol in 257..<285 {
            let bits = max(0, (symbol - 261) / 4)
            if length < base + 1 << bits { return (symbol, length - base, bits) }
            base += 1 << bits
        }
        return (285, 0, 0)
    }

    private static func distanceBase(_ code: Int) -> (base: Int, bits: Int) {
        let bits = max(0, code / 2 - 1)
        return (code < 2 ? code + 1 : 1 + (2 + code & 1) << bits, bits)
    }
}

extension DeflateWriter {
    /// An unterminated zlib stream of `content` and `byteCount` bytes of empty blocks with dynamic codes: a decoder
    /// builds tables for each, without any output.
    static func emptyBlocks(after content: [UInt8], byteCount: Int) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x9C]
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let stored = content[start..<min(start + 65_535, content.count)]
            let (low, high) = (UInt8(truncatingIfNeeded: stored.count), UInt8(truncatingIfNeeded: stored.count >> 8))
            stream += [0, low, high, ~low, ~high] + stored
        }
        // Eight blocks end at a byte boundary, whatever the length of one.
        var blocks = DeflateWriter(header: [])
        for _ in 0..<8 { blocks.putEmptyBlock() }
        stream.reserveCapacity(stream.count + byteCount)
        for _ in 0..<byteCount / blocks.bytes.count { stream += blocks.bytes }
        return stream
    }

    /// An empty block with two one-bit codes: the end of the block and a distance (RFC 1951, 3.2.7).
    private mutating func putEmptyBlock() {
        self.beginBlock(2, isLast: false)
        self.put(0, 5)  // 257 literals and lengths
        self.put(0, 5)  // one distance
        self.put(14, 4)  // 18 lengths of codes
        // Only 1 and 18 have codes, of one bit each: "0" is a length of 1, "1" repeats zeros.
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
            self.put([1, 18].contains(symbol) ? 1 : 0, 3)
        }
        for zeros in [138, 118] {
            self.put(1, 1)
            self.put(zeros - 11, 7)
        }
        self.put(0, 1)
        self.put(0, 1)
        self.put(0, 1)  // the end of the block
    }
}

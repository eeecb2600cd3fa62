extension DeflateWriter {
    /// A zlib stream that holds `content` and then, in so many bytes, blocks of dynamic codes that hold nothing: each takes
    /// a decoder tables, and gives no byte. The stream has no end.
    static func emptyBlocks(after content: [UInt8], byteCount: Int) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x9C]
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let stored = content[start..<min(start + 65_535, content.count)]
            let (low, high) = (UInt8(truncatingIfNeeded: stored.count), UInt8(truncatingIfNeeded: stored.count >> 8))
            stream += [0, low, high, ~low, ~high] + stored
        }
        // Eight blocks are whole bytes, whatever the length of one.
        var blocks = DeflateWriter(header: [])
        for _ in 0..<8 { blocks.putEmptyBlock() }
        stream.reserveCapacity(stream.count + byteCount)
        for _ in 0..<byteCount / blocks.bytes.count { stream += blocks.bytes }
        return stream
    }

    /// One code for the end of the block and one for a distance, of one bit each (RFC 1951, 3.2.7).
    private mutating func putEmptyBlock() {
        self.beginBlock(2, isLast: false)
        self.put(0, 5)  // 257 literals and lengths
        self.put(0, 5)  // one distance
        self.put(14, 4)  // 18 lengths of codes
        // Of them 1 and 18 occur, with one bit each: "0" is a length of 1, "1" repeats zeros.
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

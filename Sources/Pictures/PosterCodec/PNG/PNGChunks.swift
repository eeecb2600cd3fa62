import CPosterCodecs

/// Iterates over the chunks of a PNG, or of its beginning. Borrows the bytes.
struct PNGChunks {
    private(set) var bytes: UnsafeRawBufferPointer
    private(set) var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 8) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Continues with more bytes of the same file.
    mutating func extend(to bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next chunk, with at least its length and type; `nil` if they have not arrived.
    mutating func next() throws(CodecError) -> PNGChunk? {
        guard let length = self.number(at: self.offset), let code = self.number(at: self.offset + 4) else { return nil }
        let type = PNGChunk.Kind(code: UInt32(code))
        guard length <= Int32.max, type.isOfLetters else { throw .damaged(reason: "no PNG chunk where one should be") }
        let start = self.offset + 8
        let chunk = PNGChunk(type: type, payload: start..<start + length)
        self.offset = chunk.end
        return chunk
    }

    func isComplete(_ chunk: PNGChunk) -> Bool {
        chunk.end <= self.bytes.count
    }

    /// Whether the checksum is right; the chunk must be complete.
    func isIntact(_ chunk: PNGChunk) -> Bool {
        let covered = UnsafeRawBufferPointer(
            rebasing: self.bytes[chunk.payload.lowerBound - 4..<chunk.payload.upperBound])
        guard let base = covered.bindMemory(to: UInt8.self).baseAddress else { return false }
        return Int(poster_crc32(base, covered.count)) == self.number(at: chunk.payload.upperBound)
    }

    func payload(of chunk: PNGChunk) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self.bytes[chunk.payload])
    }

    private func number(at offset: Int) -> Int? {
        guard offset + 4 <= self.bytes.count else { return nil }
        return self.bytes.bigEndian(at: offset)
    }
}

/// A chunk of a PNG: length, type, payload and checksum.
struct PNGChunk {
    let type: Kind
    /// The range of the payload in the file; it may reach beyond its end.
    let payload: Range<Int>

    /// The offset of the next chunk, after the checksum.
    var end: Int { self.payload.upperBound + 4 }

    /// Four ASCII letters (PNG, third edition, 5.4).
    struct Kind: Hashable {
        let code: UInt32

        /// Whether the chunk is critical: the first letter is upper case.
        var isCritical: Bool { self.code & 0x2000_0000 == 0 }

        var name: String { withUnsafeBytes(of: self.code.bigEndian) { String(decoding: $0, as: UTF8.self) } }

        var isOfLetters: Bool {
            (0..<4).allSatisfy { index in
                let letter = UInt8(truncatingIfNeeded: self.code >> (8 * index)) | 0x20
                return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            }
        }

        static let header = Kind("IHDR")
        static let palette = Kind("PLTE")
        static let data = Kind("IDAT")
        static let end = Kind("IEND")
        static let transparency = Kind("tRNS")
        static let exif = Kind("eXIf")
        static let profile = Kind("iCCP")
        static let sRGB = Kind("sRGB")
        static let codePoints = Kind("cICP")
        static let gamma = Kind("gAMA")
        static let chromaticities = Kind("cHRM")
        static let lightLevel = Kind("cLLI")
        static let masteringDisplay = Kind("mDCV")
        static let animation = Kind("acTL")
        static let frameData = Kind("fdAT")
        /// Written by Apple's tools into the pictures of apps, which are then not PNGs.
        static let apple = Kind("CgBI")
    }
}

extension PNGChunk.Kind {
    init(_ name: StaticString) {
        self.init(code: (0..<4).reduce(0) { $0 << 8 | UInt32(name.utf8Start[$1]) })
    }
}

/// The header of a `VP8 ` chunk (RFC 6386, 9.1) or of a `VP8L` chunk (RFC 9649, 3.4).
struct WebPBitstreamHeader: Hashable {
    /// In pixels, 1...16384.
    let width, height: Int
    let isLossless: Bool
    /// Whether the header declares alpha, as only lossless data can.
    let hasAlpha: Bool

    /// The bytes of a `VP8L` chunk before its transforms.
    static let losslessHeaderLength = 5

    static func headerRange(in chunk: WebPChunk) throws(CodecError) -> Range<Int> {
        let length = chunk.tag == "VP8L" ? Self.losslessHeaderLength : 10
        guard chunk.payload.count >= length else { throw .damaged(reason: "a WebP picture without its header") }
        return chunk.payload.prefix(length)
    }

    /// - Parameter header: The bytes of ``headerRange(in:)``.
    init(_ header: UnsafeRawBufferPointer, in chunk: WebPChunk) throws(CodecError) {
        self.isLossless = chunk.tag == "VP8L"
        if self.isLossless {
            guard header[0] == 0x2F else { throw .damaged(reason: "a lossless WebP without its signature") }
            let fields = header.littleEndian(at: 1, byteCount: 4)
            guard fields >> 29 == 0 else { throw .unsupported("lossless WebP of an unknown version") }
            self.width = (fields & 0x3FFF) + 1
            self.height = (fields >> 14 & 0x3FFF) + 1
            self.hasAlpha = fields >> 28 & 1 == 1
            return
        }
        let tag = header.littleEndian(at: 0, byteCount: 3)
        guard tag & 1 == 0, tag >> 4 & 1 == 1 else { throw .damaged(reason: "a WebP without a visible key frame") }
        guard tag >> 1 & 7 <= 3 else { throw .unsupported("WebP of an unknown VP8 version") }
        guard header.littleEndian(at: 3, byteCount: 3) == 0x2A019D else {
            throw .damaged(reason: "a VP8 frame without its start code")
        }
        guard tag >> 5 < chunk.payload.count else { throw .damaged(reason: "a VP8 partition larger than its chunk") }
        // The upper two bits are a hint for enlarging.
        self.width = header.littleEndian(at: 6, byteCount: 2) & 0x3FFF
        self.height = header.littleEndian(at: 8, byteCount: 2) & 0x3FFF
        guard self.width > 0, self.height > 0 else { throw .damaged(reason: "a WebP without pixels") }
        self.hasAlpha = false
    }
}

/// The `VP8X` chunk: canvas size and features (RFC 9649, 2.7.1).
struct WebPExtendedHeader {
    /// In pixels, 1...2²⁴.
    let width, height: Int
    let hasProfile, hasAlpha, hasEXIF, isAnimated: Bool

    static let length = 10

    /// - Parameter payload: Ten bytes.
    init(_ payload: UnsafeRawBufferPointer) throws(CodecError) {
        let flags = payload[0]
        self.hasProfile = flags & 0x20 != 0
        self.hasAlpha = flags & 0x10 != 0
        self.hasEXIF = flags & 0x08 != 0
        self.isAnimated = flags & 0x02 != 0
        self.width = payload.littleEndian(at: 4, byteCount: 3) + 1
        self.height = payload.littleEndian(at: 7, byteCount: 3) + 1
        guard self.width * self.height < 1 << 32 else {
            throw .damaged(reason: "a WebP canvas larger than the format allows")
        }
    }
}

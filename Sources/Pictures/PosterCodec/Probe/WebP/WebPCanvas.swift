/// What the `VP8X` chunk promises (RFC 9649, 2.7.1).
struct WebPCanvas {
    /// In pixels, 1...2²⁴.
    let width, height: Int
    let hasProfile, hasAlpha, hasEXIF, isAnimated: Bool

    /// Bytes of the chunk.
    static let length = 10

    /// - Parameter payload: Ten bytes.
    init(_ payload: UnsafeRawBufferPointer) throws(CodecError) {
        let flags = payload[0]
        self.hasProfile = flags & 0x20 != 0
        self.hasAlpha = flags & 0x10 != 0
        self.hasEXIF = flags & 0x08 != 0
        self.isAnimated = flags & 0x02 != 0
        self.width = payload.number(at: 4, byteCount: 3) + 1
        self.height = payload.number(at: 7, byteCount: 3) + 1
        guard self.width * self.height < 1 << 32 else {
            throw .damaged(reason: "a WebP canvas larger than the format allows")
        }
    }
}

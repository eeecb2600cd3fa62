/// Caches drawn glyphs. It is emptied when it is full: pictures of a site have badges of a few sizes.
struct GlyphCache {
    static let countLimit = 2048
    /// In bytes: 512 KiB.
    static let byteLimit = 512 << 10
    /// Number of positions of a glyph within a pixel.
    static let shiftCount = 4

    struct Key: Hashable {
        /// Index of the font.
        var font: Int
        var glyph: UInt32
        /// In 64ths of a pixel.
        var em: Int
        /// 0..<``GlyphCache/shiftCount``.
        var shift: Int
    }

    private var glyphs: [Key: GlyphBitmap] = [:]
    /// The coverage of all glyphs, in bytes.
    private(set) var byteCount = 0

    var count: Int { self.glyphs.count }

    func bitmap(for key: Key) -> GlyphBitmap? { self.glyphs[key] }

    mutating func insert(_ bitmap: GlyphBitmap, for key: Key) {
        let byteCount = bitmap.coverage.count
        guard byteCount <= Self.byteLimit else { return }
        if self.glyphs.count >= Self.countLimit || self.byteCount + byteCount > Self.byteLimit {
            self.glyphs.removeAll()
            self.byteCount = 0
        }
        self.glyphs[key] = bitmap
        self.byteCount += byteCount
    }
}

/// The coverage of a glyph.
struct GlyphBitmap {
    /// From the origin to the left edge, and up to the top edge, in pixels.
    var left = 0
    var top = 0
    var width = 0
    var height = 0
    /// `width * height` values, row by row; 255 is covered.
    var coverage: [UInt8] = []
}

/// The open fonts of ``BadgeFonts`` and their glyphs, for one thread at a time.
struct BadgeFontSet {
    private enum Slot {
        case closed(BadgeFontFile)
        case open(BadgeFont)
        /// The file is no longer a font.
        case unusable
    }

    /// `nil` until it is used.
    private var bundled: BadgeFont?
    private var slots: [Slot]
    private(set) var glyphs = GlyphCache()
    private let haveFilesChanged: Bool

    /// - Parameter haveFilesChanged: Disables the files: they differ from the version in the keys of variants.
    init(_ files: [BadgeFontFile], haveFilesChanged: Bool = false) {
        self.slots = files.map(Slot.closed)
        self.haveFilesChanged = haveFilesChanged
    }

    /// Returns a font, which is opened by its first use.
    ///
    /// - Parameter index: 0 is the bundled font.
    /// - Returns: `nil` after the last font, and for an unusable one.
    /// - Throws: ``CodecError/outOfMemory``.
    private mutating func font(_ index: Int) throws(CodecError) -> BadgeFont? {
        guard index > 0 else {
            if self.bundled == nil { self.bundled = try BadgeFont.bundled() }
            return self.bundled
        }
        switch self.slots[index - 1] {
        case .open(let font): return font
        case .unusable: return nil
        case .closed(let file):
            let font = try BadgeFont(file)
            self.slots[index - 1] = font.map(Slot.open) ?? .unusable
            return font
        }
    }

    /// Opens all fonts.
    /// - Returns: The index of the first file that is no font; `nil` if all are.
    mutating func firstUnusableFile() throws(CodecError) -> Int? {
        for index in self.slots.indices {
            let font = try self.font(index + 1)
            if font == nil { return index }
        }
        return nil
    }

    /// The first font that has all of these scalars.
    /// - Throws: Also ``CodecError/internalError(reason:)`` if a file would have to be used and the files have changed.
    mutating func font(for scalars: some Collection<Unicode.Scalar>) throws(CodecError) -> Int? {
        for index in 0...self.slots.count {
            guard let font = try self.font(index) else { continue }
            if scalars.allSatisfy({ $0.isInvisible || font.has($0) }) {
                if index == 0 || !self.haveFilesChanged { return index }
                break
            }
        }
        if self.haveFilesChanged {
            throw .internalError(reason: "font files of badges have changed since the start; restart the service")
        }
        return nil
    }

    /// As ``BadgeFont/shape(_:_:isRightToLeft:em:glyphLimit:)``.
    mutating func shape(
        _ text: [UInt32], _ run: BadgeText.Run, em: Int, glyphLimit: Int
    ) throws(CodecError) -> (glyphs: [BadgeFont.PlacedGlyph], width: Int) {
        guard let font = try self.font(run.font) else { return ([], 0) }
        return try font.shape(
            text, run.range, isRightToLeft: run.isRightToLeft, em: em, glyphLimit: glyphLimit)
    }

    /// Returns the drawn glyph, from the cache if it is there.
    mutating func bitmap(for key: GlyphCache.Key) throws(CodecError) -> GlyphBitmap {
        if let cached = self.glyphs.bitmap(for: key) { return cached }
        guard let font = try self.font(key.font) else { return GlyphBitmap() }
        let bitmap = try font.draw(key.glyph, em: key.em, shift: key.shift * 64 / GlyphCache.shiftCount)
        self.glyphs.insert(bitmap, for: key)
        return bitmap
    }
}

extension Unicode.Scalar {
    /// Whether a font needs no glyph for the scalar.
    var isInvisible: Bool {
        self.properties.isDefaultIgnorableCodePoint || self.properties.isWhitespace && self != " "
    }
}

/// The glyphs of a badge's text in one size.
struct BadgeLine {
    struct Glyph {
        /// Index of the font.
        var font: Int
        var placed: BadgeFont.PlacedGlyph
    }

    /// In 64ths of a pixel.
    let em: Int
    var glyphs: [Glyph] = []
    /// In 64ths of a pixel.
    var width = 0

    init(em: Int) {
        self.em = em
    }

    /// In whole pixels, rounded up.
    var pixelWidth: Int { (self.width + 63) / 64 }

    /// Draws the line into the smallest rectangle that has its ink.
    ///
    /// - Parameters:
    ///   - x: The origin of the first glyph, in 64ths of a pixel.
    ///   - baseline: In pixels.
    ///   - area: In pixels; ink outside is left out, such as many stacked marks.
    /// - Returns: `nil` without ink.
    /// - Throws: ``CodecError/outOfMemory``.
    func drawn(
        x: Int, baseline: Int, in area: PixelArea, colour: RenderTarget.Colour, fonts: inout BadgeFontSet
    ) throws(CodecError) -> PictureOverlay.Glyphs? {
        var placed: [(bitmap: GlyphBitmap, x: Int, y: Int)] = []
        var ink: PixelArea?
        let step = 64 / GlyphCache.shiftCount
        for glyph in self.glyphs {
            let origin = x + glyph.placed.x + step / 2
            let shift = (origin & 63) / step
            let bitmap = try fonts.bitmap(
                for: GlyphCache.Key(font: glyph.font, glyph: glyph.placed.glyph, em: self.em, shift: shift))
            guard !bitmap.coverage.isEmpty else { continue }
            // Arithmetic shifts round downwards.
            let left = (origin >> 6) + bitmap.left
            let top = baseline - ((glyph.placed.y + 32) >> 6) - bitmap.top
            let visible = PixelArea(x: left, y: top, width: bitmap.width, height: bitmap.height).intersection(area)
            guard let visible else { continue }
            placed.append((bitmap, left, top))
            ink = ink.map { $0.union(visible) } ?? visible
        }
        guard let ink else { return nil }
        var coverage = [UInt8](repeating: 0, count: ink.width * ink.height)
        for (bitmap, left, top) in placed {
            for y in max(ink.y, top)..<max(ink.y, top, min(ink.maxY, top + bitmap.height)) {
                for x in max(ink.x, left)..<max(ink.x, left, min(ink.maxX, left + bitmap.width)) {
                    let value = Int(bitmap.coverage[(y - top) * bitmap.width + x - left])
                    let index = (y - ink.y) * ink.width + x - ink.x
                    let present = Int(coverage[index])
                    // Joined letters have no seam.
                    coverage[index] = UInt8(value + present - (value * present + 127) / 255)
                }
            }
        }
        return PictureOverlay.Glyphs(
            x: ink.x, y: ink.y, width: ink.width, height: ink.height, colour: colour, coverage: coverage)
    }
}

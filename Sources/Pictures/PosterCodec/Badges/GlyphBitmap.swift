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

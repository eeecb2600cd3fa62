import CPosterFonts

/// A font of the C code, for one thread at a time.
final class BadgeFont {
    /// A glyph and its place from the origin of its run, in 64ths of a pixel, to the right and upwards.
    struct PlacedGlyph: Hashable {
        var glyph: UInt32
        var x, y: Int
    }

    private let object: LibraryObject
    /// Keeps the font's memory mapped; `nil` for the bundled font.
    private let file: BadgeFontFile?

    /// - Returns: `nil` if the bytes are no font with outlines.
    /// - Throws: ``CodecError/outOfMemory``.
    private init?(_ start: UnsafePointer<UInt8>?, count: Int, of file: BadgeFontFile?) throws(CodecError) {
        var pointer: OpaquePointer?
        guard let start else { return nil }
        let status = poster_font_create(start, count, &pointer)
        guard status == .ok || status == .outOfMemory else { return nil }
        self.object = try LibraryObject(pointer) { poster_font_destroy($0) }
        self.file = file
    }

    /// Opens the font that is part of the program.
    static func bundled() throws(CodecError) -> BadgeFont? {
        var count = 0
        let start = poster_font_bundled(&count)
        return try BadgeFont(start, count: count, of: nil)
    }

    convenience init?(_ file: BadgeFontFile) throws(CodecError) {
        let bytes = file.bytes
        try self.init(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count, of: file)
    }

    func has(_ scalar: Unicode.Scalar) -> Bool { poster_font_has(self.object.pointer, scalar.value) != 0 }

    /// Shapes a part of a text.
    ///
    /// - Parameters:
    ///   - text: At most `POSTER_FONT_MAX_SCALARS` scalars.
    ///   - em: In 64ths of a pixel.
    ///   - glyphLimit: Maximum number of glyphs; more are left out.
    /// - Returns: The glyphs from left to right, and their width in 64ths of a pixel.
    /// - Throws: ``CodecError/outOfMemory``.
    func shape(
        _ text: [UInt32], _ range: Range<Int>, isRightToLeft: Bool, em: Int, glyphLimit: Int
    ) throws(CodecError) -> (glyphs: [PlacedGlyph], width: Int) {
        guard !range.isEmpty, glyphLimit > 0 else { return ([], 0) }
        var shaped = [poster_font_glyph](repeating: poster_font_glyph(), count: glyphLimit)
        var count = 0
        let status = poster_font_shape(
            self.object.pointer, text, text.count, range.lowerBound, range.count, isRightToLeft ? 1 : 0, UInt32(em),
            &shaped, shaped.count, &count)
        try Self.check(status)
        var x = 0
        var glyphs: [PlacedGlyph] = []
        glyphs.reserveCapacity(count)
        for glyph in shaped.prefix(count) {
            glyphs.append(PlacedGlyph(glyph: glyph.glyph, x: x + Int(glyph.x), y: Int(glyph.y)))
            x += Int(glyph.advance)
        }
        return (glyphs, max(0, x))
    }

    /// Draws a glyph.
    ///
    /// - Parameters:
    ///   - em: In 64ths of a pixel.
    ///   - shift: The outline's offset to the right, in 64ths of a pixel, 0...63.
    /// - Throws: ``CodecError/outOfMemory``.
    func draw(_ glyph: UInt32, em: Int, shift: Int) throws(CodecError) -> GlyphBitmap {
        var bitmap = poster_font_bitmap()
        try Self.check(poster_font_draw(self.object.pointer, glyph, UInt32(em), UInt32(shift), &bitmap))
        let (width, height, stride) = (Int(bitmap.width), Int(bitmap.height), Int(bitmap.stride))
        guard let start = bitmap.coverage, width > 0, height > 0 else { return GlyphBitmap() }
        var coverage: [UInt8] = []
        coverage.reserveCapacity(width * height)
        for row in 0..<height {
            coverage.append(contentsOf: UnsafeBufferPointer(start: start + row * stride, count: width))
        }
        return GlyphBitmap(
            left: Int(bitmap.left), top: Int(bitmap.top), width: width, height: height, coverage: coverage)
    }

    private static func check(_ status: poster_font_status) throws(CodecError) {
        switch status {
        case .ok: return
        case .outOfMemory: throw .outOfMemory
        case .invalid, .misuse: throw .internalError(reason: "a badge's text cannot be shaped")
        }
    }

    /// The libraries' versions, for example "freetype2.12.1-harfbuzz6.0.0".
    static let libraries: String = {
        var freetype = [Int32](repeating: 0, count: 3)
        var harfbuzz = freetype
        poster_font_versions(&freetype, &harfbuzz)
        func text(_ version: [Int32]) -> String { version.map(String.init).joined(separator: ".") }
        return "freetype\(text(freetype))-harfbuzz\(text(harfbuzz))"
    }()
}

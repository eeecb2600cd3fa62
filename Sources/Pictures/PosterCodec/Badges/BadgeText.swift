/// A badge's text, divided into runs of one font and one direction.
struct BadgeText {
    /// Maximum number of scalars; more are left out, as a character may have any number of marks.
    static let scalarLimit = 96
    /// Maximum number of glyphs; more are left out.
    static let glyphLimit = 256

    /// A part of the text with one font and one direction.
    struct Run {
        /// Indices of scalars.
        var range: Range<Int>
        /// 0 is the bundled font.
        var font: Int
        var isRightToLeft: Bool
    }

    /// Without spaces at the ends.
    private let scalars: [UInt32]
    /// From left to right.
    private let runs: [Run]

    /// - Throws: ``CodecError/outOfMemory``.
    init(_ text: some Sequence<Character>, in fonts: inout BadgeFontSet) throws(CodecError) {
        var scalars: [Unicode.Scalar] = []
        var fontOfScalar: [Int] = []
        for character in text where !(scalars.isEmpty && character.isWhitespace) {
            guard scalars.count < Self.scalarLimit else { break }
            let cluster = character.unicodeScalars.lazy.filter(Self.isDrawn).prefix(Self.scalarLimit - scalars.count)
            guard let base = cluster.first else { continue }
            var font = try fonts.font(for: Array(cluster))
            // Without a font for the whole character, its marks are drawn as the base's font can.
            if font == nil { font = try fonts.font(for: CollectionOfOne(base)) }
            scalars.append(contentsOf: cluster)
            fontOfScalar.append(contentsOf: repeatElement(font ?? 0, count: scalars.count - fontOfScalar.count))
        }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        let levels = BidiLevels(scalars).levels
        var runs: [Run] = []
        var start = 0
        while start < scalars.count {
            var end = start + 1
            while end < scalars.count, levels[end] == levels[start], fontOfScalar[end] == fontOfScalar[start] {
                end += 1
            }
            runs.append(Run(range: start..<end, font: fontOfScalar[start], isRightToLeft: levels[start] % 2 == 1))
            start = end
        }
        self.scalars = scalars.map(\.value)
        self.runs = BidiLevels.visualOrder(runs.map { levels[$0.range.lowerBound] }).map { runs[$0] }
    }

    /// Control characters and explicit directions are not drawn.
    private static func isDrawn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    /// Places the glyphs of the text in one line.
    ///
    /// - Parameter em: In 64ths of a pixel.
    /// - Throws: ``CodecError/outOfMemory``.
    func line(em: Int, in fonts: inout BadgeFontSet) throws(CodecError) -> BadgeLine {
        var line = BadgeLine(em: em)
        for run in self.runs {
            let limit = Self.glyphLimit - line.glyphs.count
            let (glyphs, width) = try fonts.shape(self.scalars, run, em: em, glyphLimit: limit)
            for var glyph in glyphs {
                glyph.x += line.width
                line.glyphs.append(BadgeLine.Glyph(font: run.font, placed: glyph))
            }
            line.width += width
        }
        return line
    }
}

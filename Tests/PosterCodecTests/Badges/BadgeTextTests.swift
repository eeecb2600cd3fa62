import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct BadgeTextTests {
    /// The scalars of a text in the order of display.
    private func displayed(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let order = BidiLevels.visualOrder(BidiLevels(scalars).levels)
        return String(String.UnicodeScalarView(order.map { scalars[$0] }))
    }

    // MARK: Directions

    @Test func textFromLeftToRightKeepsItsOrder() {
        for text in ["IMDb 8.7", "88 %", "", "★", "a\u{301}b", "映画 4K", "-5 (a)"] {
            #expect(self.displayed(text) == text)
        }
    }

    @Test func hebrewAndArabicAreReversedExceptNumbers() {
        #expect(self.displayed("אבג") == "גבא")
        #expect(self.displayed("אבג 8.7") == "8.7 גבא")
        #expect(self.displayed("אבג 88%") == "88% גבא")
        #expect(self.displayed("אבג -88%!") == "!88%- גבא")
        #expect(self.displayed("عرب 12/34") == "12/34 برع")
        #expect(self.displayed("عرب ٨٫٧ كلم") == "ملك ٨٫٧ برع")
        #expect(self.displayed("8.7 אבג") == "גבא 8.7", "the first strong character decides")
    }

    @Test func mixedTextHasTheDirectionOfItsFirstLetter() {
        #expect(self.displayed("IMDb אבג 8.7") == "IMDb 8.7 גבא")
        #expect(self.displayed("IMDb אבג: x") == "IMDb גבא: x")
        #expect(self.displayed("אבג IMDb דהו") == "והד IMDb גבא")
        #expect(self.displayed("אבג IMDb 8.7") == "IMDb 8.7 גבא")
        #expect(self.displayed("ab, אב, גד ef") == "ab, דג ,בא ef")
        #expect(self.displayed("א\u{5B0}ב") == "ב\u{5B0}א", "marks have their letter's level; HarfBuzz places them")
    }

    @Test func directionMarksAreObeyedAndOverridesIgnored() throws {
        #expect(self.displayed("\u{200F}8!") == "!8\u{200F}")
        let fonts = BadgeFonts()
        func ink(_ text: String) throws -> [UInt8] {
            let badges = BadgeFixture.badges([text])
            let overlay = try BadgePainter.overlay(for: badges, width: 342, height: 513, fonts: fonts)
            return overlay.glyphs.flatMap(\.coverage)
        }
        let plain = try ink("abc")
        for text in ["\u{202E}abc", "a\u{2066}b\u{2069}c", "a\u{0}b\u{1B}c", " abc \n", "a\u{200D}bc\u{FE0F}"] {
            let other = try ink(text)
            #expect(other == plain, "\(text.unicodeScalars.map(\.value))")
        }
    }

    @Test(.enabled(if: BadgeFixture.hasDejaVu, "fonts-dejavu-core is not installed"))
    func aLineFromRightToLeftHasItsFirstLetterAtTheRight() throws {
        let fonts = try BadgeFonts(files: [BadgeFixture.dejaVu])
        func line(_ text: String) throws -> BadgeLine {
            try fonts.withFonts { (fonts) throws(CodecError) in
                try BadgeText(text, in: &fonts).line(em: 968, in: &fonts)
            }
        }
        let (shin, vav) = (try line("ש").glyphs[0].placed.glyph, try line("ו").glyphs[0].placed.glyph)
        let word = try line("שו").glyphs
        #expect(word.map(\.placed.glyph) == [vav, shin])
        #expect(word[0].placed.x < word[1].placed.x)
        // Joined letters are narrower than isolated ones.
        let (joined, isolated) = (try line("ببب").width, try line("ب\u{200C}ب\u{200C}ب").width)
        #expect(joined < isolated)
        // A number between: runs of two fonts.
        let mixed = try line("שו 8").glyphs
        #expect(mixed.map(\.font) == [0, 0, 1, 1])
    }

    // MARK: Bounds

    @Test func scalarsAndGlyphsAreBounded() throws {
        let text = String(repeating: BadgeFixture.stacked, count: 24)
        let count = try BadgeFonts().withFonts { (fonts) throws(CodecError) in
            try BadgeText(text, in: &fonts).line(em: 968, in: &fonts).glyphs.count
        }
        #expect((1...BadgeText.scalarLimit).contains(count))
        let overlay = try BadgePainter.overlay(
            for: BadgeFixture.badges([text]), width: 342, height: 513, fonts: BadgeFonts())
        #expect(overlay.glyphs.allSatisfy { $0.height <= 27 })
    }

    @Test(.computingThread) func anyScalarsAreDrawnInTheBadge() throws {
        var random = SeededRandom(seed: 11)
        let fonts = BadgeFonts()
        let ranges: [ClosedRange<UInt32>] = [
            0...0xFF, 0x300...0x36F, 0x590...0x6FF, 0x900...0x97F, 0x2000...0x206F, 0xFE00...0xFE0F, 0x1F300...0x1F6FF,
            0xE0000...0xE01EF, 0...0xD7FF,
        ]
        for round in 0..<300 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let range = ranges[Int.random(in: ranges.indices, using: &random)]
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
            }
            let width = Int.random(in: 46...800, using: &random)
            let badges = BadgeFixture.badges([String(text), "x"], Badges.Position.allCases[round % 8])
            let overlay = try BadgePainter.overlay(for: badges, width: width, height: 600, fonts: fonts)
            let picture = PixelArea(x: 0, y: 0, width: width, height: 600)
            #expect(overlay.boxes.allSatisfy { picture.contains(PixelArea($0)) })
            #expect(overlay.coverageBytes <= BadgePainter.byteCount(of: badges, width: width, height: 600))
        }
    }

    @Test func theCacheOfGlyphsIsEmptiedWhenItIsFull() {
        var cache = GlyphCache()
        func key(_ glyph: Int) -> GlyphCache.Key { GlyphCache.Key(font: 0, glyph: UInt32(glyph), em: 968, shift: 0) }
        let small = GlyphBitmap(width: 1, height: 1, coverage: [255])
        for glyph in 0..<GlyphCache.countLimit { cache.insert(small, for: key(glyph)) }
        #expect(cache.count == GlyphCache.countLimit)
        cache.insert(small, for: key(-1 & 0xFFFF))
        #expect((cache.count, cache.byteCount) == (1, 1))
        let large = GlyphBitmap(width: 600, height: 600, coverage: [UInt8](repeating: 1, count: 360_000))
        cache.insert(large, for: key(1))
        cache.insert(large, for: key(2))
        #expect(cache.count == 1)
        #expect(cache.byteCount <= GlyphCache.byteLimit)
        cache.insert(GlyphBitmap(coverage: [UInt8](repeating: 1, count: GlyphCache.byteLimit + 1)), for: key(3))
        #expect(cache.count == 1)
    }
}

import CPosterFonts
import CodecTesting
import Foundation
import Testing

@testable import PosterCodec

@Suite struct BadgeFontTests {
    // MARK: Coverage

    @Test func theBundledFontHasLatinGreekAndCyrillic() throws {
        let fonts = BadgeFonts()
        for text in [
            "IMDb 8.7", "RT 88 %", "★ 7,9 • 4K", "Größe Œuvre ž", "Łódź Çok İyi", "Việt Nam",
            "Βαθμολογία", "Рейтинг ЇҐў", "e\u{301}", "10 €…", "",
        ] {
            let missing = try fonts.missingCharacters(in: text)
            #expect(missing.isEmpty, "\(text)")
        }
    }

    @Test func missingCharactersAreNamedOnce() throws {
        let fonts = BadgeFonts()
        #expect(try fonts.missingCharacters(in: "4K 映画 映") == ["映", "画"])
        #expect(try fonts.missingCharacters(in: "a\u{0}") == ["\u{0}"])
        #expect(try fonts.missingCharacters(in: "a\u{200D}\u{FE0F}\u{3000}b").isEmpty)
    }

    @Test(.enabled(if: BadgeFixture.hasDejaVu, "fonts-dejavu-core is not installed"))
    func fontFilesAddCharacters() throws {
        let fonts = try BadgeFonts(files: [BadgeFixture.dejaVu])
        #expect(fonts.files == [BadgeFixture.dejaVu])
        #expect(try fonts.missingCharacters(in: "תקציר مرحبا").isEmpty)
        #expect(fonts.version != BadgeFonts().version)
        #expect(try fonts.version == BadgeFonts(files: [BadgeFixture.dejaVu]).version)
        let overlay = try BadgePainter.overlay(
            for: BadgeFixture.badges(["תקציר"]), width: 342, height: 513, fonts: fonts)
        #expect(overlay.glyphs.count == 1)
    }

    @Test func theVersionNamesTheLibraries() {
        let form = /\d+-freetype\d+\.\d+\.\d+-harfbuzz\d+\.\d+\.\d+-[0-9a-f]{16}/
        #expect(BadgeFonts().version.wholeMatch(of: form) != nil)
    }

    @Test func aCharacterWithoutFontIsDrawnAsABox() throws {
        let overlay = try BadgePainter.overlay(
            for: BadgeFixture.badges(["映"]), width: 342, height: 513, fonts: BadgeFonts())
        #expect(overlay.glyphs.count == 1)
    }

    // MARK: Files

    @Test func unusableFilesAreNamedWithTheReason() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/badge-fonts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func file(_ name: String, _ bytes: Data) -> String {
            FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: bytes)
            return "\(folder)/\(name)"
        }
        let large = file("large.ttf", Data([0]))
        try #require(truncate(large, off_t(BadgeFonts.byteLimit + 1)) == 0)
        for (path, reason) in [
            (folder + "/none.ttf", "No such file or directory"),
            (file("font.woff2", Data([1])), "its name ends in none of .ttf .otf .ttc"),
            (file("empty.ttf", Data()), "it is empty"),
            (file("noise.otf", Data((0..<4000).map { UInt8($0 & 255) })), "it is no font with outlines"),
            (large, "it has 67108865 bytes; the maximum is 67108864"),
        ] {
            let error = #expect(throws: BadgeFontError.self) { try BadgeFonts(files: [path]) }
            #expect(error == BadgeFontError(file: path, reason: reason))
            #expect(error?.description == "the font file \(path) cannot be used: \(reason)")
        }
        let many = [String](repeating: large, count: BadgeFonts.fileLimit + 1)
        let error = #expect(throws: BadgeFontError.self) { try BadgeFonts(files: many) }
        #expect(error?.reason == "there are 17 files; the maximum is 16")
    }

    @Test(.computingThread) func damagedFontsNeitherCrashNorHang() throws {
        var count = 0
        let start = poster_font_bundled(&count)
        let whole = Array(UnsafeBufferPointer(start: start, count: count))
        var random = SeededRandom(seed: 7)
        for round in 0..<60 {
            var bytes = round % 3 == 0 ? Array(whole.prefix(Int.random(in: 1..<count, using: &random))) : whole
            for _ in 0..<20 {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.withUnsafeBufferPointer { bytes in
                var font: OpaquePointer?
                let status = poster_font_create(bytes.baseAddress!, bytes.count, &font)
                #expect((status == .ok) == (font != nil))
                guard let font else { return }
                defer { poster_font_destroy(font) }
                let text = Array("RT 88 % ĄЖ".unicodeScalars.map(\.value))
                for glyph in Self.shape(font, text).glyphs {
                    var bitmap = poster_font_bitmap()
                    let status = poster_font_draw(font, glyph.glyph, 968, 16, &bitmap)
                    #expect(status == .ok || status == .outOfMemory)
                }
            }
        }
    }

    @Test func valuesOutOfRangeAreRejected() throws {
        var count = 0
        let start = poster_font_bundled(&count)
        var created: OpaquePointer?
        let long = poster_font_create(start, Int(Int32.max) + 1, &created)
        #expect(long == .misuse)
        let empty = poster_font_create(start, 0, &created)
        #expect(empty == .invalid)
        let opened = poster_font_create(start, count, &created)
        try #require(opened == .ok)
        let font = try #require(created)
        defer { poster_font_destroy(font) }
        let text = [UInt32](repeating: 0x41, count: 300)
        #expect(Self.shape(font, text, 0..<1).status == .misuse, "too long")
        let short = Array(text.prefix(10))
        #expect(Self.shape(font, short, 11..<11).status == .misuse)
        #expect(Self.shape(font, short, 5..<11).status == .misuse)
        #expect(Self.shape(font, short, em: 0).status == .misuse)
        #expect(Self.shape(font, short, em: 257 * 64).status == .misuse)
        let shaped = Self.shape(font, short, capacity: 3)
        #expect(shaped.status == .ok && shaped.glyphs.count == 3)
        for (glyph, em, shift) in [(1, 257 * 64, 0), (1, 0, 0), (1, 968, 64)] as [(UInt32, UInt32, UInt32)] {
            var bitmap = poster_font_bitmap()
            let status = poster_font_draw(font, glyph, em, shift, &bitmap)
            #expect(status == .misuse)
        }
        var bitmap = poster_font_bitmap()
        let status = poster_font_draw(font, 1 << 30, 968, 0, &bitmap)
        #expect(status == .ok && bitmap.coverage == nil, "a glyph that the font does not have is empty")
    }

    private static func shape(
        _ font: OpaquePointer, _ text: [UInt32], _ range: Range<Int>? = nil, em: UInt32 = 968, capacity: Int = 32
    ) -> (status: poster_font_status, glyphs: [poster_font_glyph]) {
        let range = range ?? 0..<text.count
        var glyphs = [poster_font_glyph](repeating: poster_font_glyph(), count: capacity)
        var count = 0
        let status = poster_font_shape(
            font, text, text.count, range.lowerBound, range.count, 0, em, &glyphs, capacity, &count)
        return (status, Array(glyphs.prefix(count)))
    }
}

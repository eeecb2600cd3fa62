import PosterCodec
import Testing

@Suite(.computingThread) struct RecognitionTests {
    /// The beginning of a file, padded to the length of a prefix.
    struct Beginning: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ text: String, _ description: String? = nil) {
            self.init(Array(text.utf8), description ?? text)
        }

        init(_ bytes: [UInt8], _ description: String) {
            self.bytes = bytes
            self.testDescription = description
        }

        var padded: [UInt8] {
            self.bytes + [UInt8](repeating: 0x20, count: max(0, ImageFormat.prefixLength - self.bytes.count))
        }
    }

    static func mediaFile(_ major: String, _ compatible: String...) -> [UInt8] {
        [0, 0, 0, UInt8(16 + 4 * compatible.count)] + Array("ftyp\(major)".utf8) + [0, 0, 0, 0]
            + compatible.flatMap { Array($0.utf8) }
    }

    @Test(
        "a format is recognised by the file's first bytes",
        arguments: [
            (Beginning([0xFF, 0xD8, 0xFF, 0xE0], "JFIF"), ImageFormat.jpeg),
            (Beginning([0xFF, 0xD8, 0xFF, 0xDB], "bare JPEG"), .jpeg),
            (Beginning([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "PNG"), .png),
            (Beginning("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", "WebP"), .webp),
            (Beginning("GIF87a"), .gif),
            (Beginning("GIF89a"), .gif),
            (Beginning(mediaFile("avif", "mif1"), "AVIF by its major brand"), .avif),
            (Beginning(mediaFile("mif1", "miaf", "avif"), "AVIF by a compatible brand"), .avif),
            (Beginning(mediaFile("avis"), "AVIF of several frames"), .avif),
            (Beginning(mediaFile("heic", "mif1"), "HEIC"), .heic),
            (Beginning(mediaFile("mif1", "heic"), "HEIC by a compatible brand"), .heic),
            (Beginning([0xFF, 0x0A], "JPEG XL codestream"), .jpegXL),
            (Beginning([0, 0, 0, 0x0C] + Array("JXL \r\n".utf8), "JPEG XL file"), .jpegXL),
            (Beginning([0, 0, 0, 0x0C] + Array("jP  \r\n".utf8), "JPEG 2000 file"), .jpeg2000),
            (Beginning([0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000 codestream"), .jpeg2000),
            (Beginning(Array("BM".utf8) + [1, 2, 3, 4, 0, 0, 0, 0], "BMP"), .bmp),
            (Beginning([0x49, 0x49, 0x2A, 0x00], "little-endian TIFF"), .tiff),
            (Beginning([0x4D, 0x4D, 0x00, 0x2A], "big-endian TIFF"), .tiff),
            (Beginning([0, 0, 1, 0, 1, 0], "ICO"), .ico),
            (Beginning("<svg xmlns='http://www.w3.org/2000/svg'>", "SVG"), .svg),
            (Beginning("\u{FEFF} \n<?xml version='1.0'?><!-- a poster --><SVG>", "SVG after an XML declaration"), .svg),
            (Beginning("8BPS\0\u{1}"), .psd),
        ]
    )
    func recognises(_ beginning: Beginning, as format: ImageFormat) throws {
        #expect(ImageFormat(recognising: beginning.padded.span.bytes) == format)
        guard !ImageFormat.decoded.contains(format) else { return }
        #expect(throws: CodecError.unsupported(format.rawValue)) { try beginning.padded.probed() }
        #expect(throws: CodecError.unsupported(format.rawValue)) { try beginning.padded.header() }
    }

    @Test("every format has a beginning in the table above", arguments: ImageFormat.allCases)
    func namesAreShort(_ format: ImageFormat) {
        #expect((3...9).contains(format.rawValue.count))
    }

    @Test(
        "a file that is no picture is described",
        arguments: [
            (Beginning("%PDF-1.7\n"), "a PDF document"),
            (Beginning([0x1F, 0x8B, 8, 0], "gzip"), "gzip data"),
            (Beginning("PK\u{3}\u{4}"), "a ZIP archive"),
            (Beginning(mediaFile("isom", "mp42"), "MP4"), "a video or audio file"),
            (Beginning("<!DOCTYPE html><html lang=ko>"), "an HTML page"),
            (Beginning("\n\n  <html><head>", "HTML after blank lines"), "an HTML page"),
            (Beginning("<HEAD></HEAD><BODY>404"), "an HTML page"),
            (Beginning("<?xml version=\"1.0\"?><Error><Code>AccessDenied"), "an XML document"),
            (Beginning("<Error>"), "an XML document"),
            (Beginning("{\"success\":false}"), "JSON"),
            (Beginning("[1]"), "JSON"),
            (Beginning("BMW is not a bitmap"), "text"),
            (Beginning("Not found"), "text"),
            (Beginning([1, 2, 3, 0xFE, 0xFF, 0], "binary"), "unknown binary data"),
            (Beginning([UInt8](repeating: 0, count: 600), "zeros"), "unknown binary data"),
        ]
    )
    func describes(_ beginning: Beginning, as seems: String) throws {
        #expect(throws: CodecError.notAnImage(seems: seems)) { try beginning.padded.probed() }
        #expect(throws: CodecError.notAnImage(seems: seems)) { try beginning.bytes.header() }
    }

    @Test("nothing at all is described, too")
    func describesNothing() throws {
        #expect(throws: CodecError.notAnImage(seems: "nothing (0 bytes)")) { try [UInt8]().header() }
    }

    @Test("few bytes are no answer yet", arguments: [0, 1, 2, 100, ImageFormat.prefixLength - 1])
    func waits(byteCount: Int) throws {
        let answer = try [UInt8](repeating: 0x20, count: byteCount).probed()
        #expect(answer == .needsMoreBytes(atLeast: ImageFormat.prefixLength))
    }
}

/// A chunk of a PNG: length, type, payload and checksum.
struct PNGChunk {
    let type: Kind
    /// Where the payload is in the file; it may reach beyond what is there.
    let payload: Range<Int>

    /// Where the next chunk begins: after the checksum.
    var end: Int { self.payload.upperBound + 4 }

    /// Four ASCII letters (PNG, third edition, 5.4).
    struct Kind: Hashable {
        let code: UInt32

        init(code: UInt32) {
            self.code = code
        }

        init(_ name: StaticString) {
            precondition(name.utf8CodeUnitCount == 4, "chunk types have four letters")
            self.code = (0..<4).reduce(0) { $0 << 8 | UInt32(name.utf8Start[$1]) }
        }

        /// Whether the picture cannot be understood without it: the first letter is a capital.
        var isCritical: Bool { self.code & 0x2000_0000 == 0 }

        var name: String {
            String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: self.code >> (24 - 8 * $0)) }, as: UTF8.self)
        }

        var isOfLetters: Bool {
            (0..<4).allSatisfy { index in
                let letter = UInt8(truncatingIfNeeded: self.code >> (8 * index)) | 0x20
                return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            }
        }

        static let header = Kind("IHDR")
        static let palette = Kind("PLTE")
        static let data = Kind("IDAT")
        static let end = Kind("IEND")
        static let transparency = Kind("tRNS")
        static let exif = Kind("eXIf")
        static let profile = Kind("iCCP")
        static let sRGB = Kind("sRGB")
        static let codePoints = Kind("cICP")
        static let gamma = Kind("gAMA")
        static let chromaticities = Kind("cHRM")
        static let animation = Kind("acTL")
        static let frameData = Kind("fdAT")
        /// What Apple's tools write into the pictures of an app, which are no longer PNGs then.
        static let apple = Kind("CgBI")
    }
}

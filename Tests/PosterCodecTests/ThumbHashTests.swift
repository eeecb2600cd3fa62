import Testing

@testable import PosterCodec

@Suite struct ThumbHashTests {
    /// Results of the Python package `thumbhash` 0.1.2, or of the JavaScript original for pictures with alpha, on which
    /// the package fails.
    static let known: [(picture: RGBAPicture, hash: String)] = [
        (.gradient(32, 32), "2fkNHxqAh4eQiIiIeHh4iIiHeHiAgI8H"),
        (.gradient(67, 100), "2vkNHRqAh5CIiId4iIh4iHcHB/h3"),
        (.gradient(100, 67), "2gkOHZqAh4eQh4iIiHiIiHcHB/h3"),
        (.waves(40, 60), "H/gBBQISNlNxFAJmZEZEVFtqgFwM"),
        (.waves(100, 1), "VwouoYR3d4eIiAiId4igj0g="),
        (.waves(100, 100), "H/gBBwBCRDCCVQVUdiZF8zF349zAr3ID"),
        (.noise(50, 75), "H/gBBQLc0WmFlkt4V5yQu/DIuFlg"),
        (.noise(17, 3), "YBgGGYo4n6laZyYjVRd/CYI="),
        (.flat(1, 1, [200, 100, 51, 255]), "Hcs6xzII9wiIh4hwj3CI+AiIgIAICIgA"),
        (.disc(48, 64), "HMmCDAIpfgeYiHZ66AeIfn93c3aICIiHBg=="),
        (.disc(90, 50), "mriCC4Q5f3SCiWh/gvjXdwdnh4iFeHg="),
        (.noise(30, 20, isOpaque: false), "H/iBA4IIl2l/hXqeiJ8Pqmsgkr+WX4k="),
        (.flat(10, 15, [255, 0, 0, 0]), "AAiCAwAAAAAAAAAAAAAAAAAAAAAAAAA="),
    ]

    @Test("gives what other implementations give", arguments: Self.known)
    func agrees(picture: RGBAPicture, hash: String) {
        #expect(picture.thumbHash == hash)
    }

    @Test("of two counts of waves that are as near the even one is taken, as the Python package does")
    func ties() {
        #expect(RGBAPicture.waves(63, 98).thumbHash == "HwgCBABDUFUydUOicGbfOP4/Zg==")
    }

    @Test("the colours of a column are those of the picture from its top")
    func column() throws {
        func colours(_ rgba: (Int) -> [UInt8]) throws -> [[Int]] {
            let pixels = (0..<60).flatMap { row in (0..<40).flatMap { _ in rgba(row) } }
            let hash = Base64.encode(ThumbHash.encode(rgba: pixels, width: 40, height: 60))
            return try #require(PictureHashes.columnColours(3, thumbHash: hash)).map { text in
                try #require(text.count == 7 && text.first == "#")
                let value = try #require(Int(text.dropFirst(), radix: 16))
                return [value >> 16, value >> 8 & 255, value & 255]
            }
        }
        let sunset = try colours { row in row < 30 ? [220, 120, 40, 255] : [20, 30, 90, 255] }
        #expect(sunset[0][0] > 170 && sunset[0][2] < 110, "\(sunset)")
        #expect(sunset[2][0] < 80 && sunset[2][2] > 50, "\(sunset)")
        let flat = try colours { _ in [128, 128, 128, 255] }
        #expect(flat.allSatisfy { $0.allSatisfy { abs($0 - 128) < 8 } }, "\(flat)")
    }

    @Test("what is no hash has no colours", arguments: ["", "AA==", "?", "2fkN"])
    func noColumn(hash: String) {
        #expect(PictureHashes.columnColours(3, thumbHash: hash) == nil)
    }

    @Test("the shape follows from the hash alone")
    func shape() {
        func header(_ picture: RGBAPicture) -> (shorter: UInt8, isLandscape: Bool, hasAlpha: Bool) {
            let hash = ThumbHash.encode(rgba: picture.rgba, width: picture.width, height: picture.height)
            return (hash[3] & 7, hash[4] & 0x80 != 0, hash[2] & 0x80 != 0)
        }
        #expect(header(.waves(67, 100)) == (5, false, false))
        #expect(header(.waves(100, 67)) == (5, true, false))
        #expect(header(.disc(60, 100)) == (3, false, true))
    }

    @Test("colours that cannot be seen do not matter")
    func invisible() {
        #expect(
            RGBAPicture.flat(10, 15, [0, 200, 7, 0]).thumbHash
                == RGBAPicture.flat(10, 15, [9, 9, 9, 0]).thumbHash)
    }

    @Test(
        "Base64 is the standard one, with padding",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"), ("\u{3}ï~\u{FFFD}", "A8Ovfu+/vQ=="),
        ])
    func base64(text: String, expected: String) {
        #expect(Base64.encode(Array(text.utf8)) == expected)
    }
}

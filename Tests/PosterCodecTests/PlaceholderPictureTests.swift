import Testing

@testable import PosterCodec

@Suite struct PlaceholderPictureTests {
    /// The mean absolute difference of a sample after encoding and decoding.
    private func difference(_ picture: RGBAPicture) throws -> Double {
        let hash = ThumbHash.encode(rgba: picture.rgba, width: picture.width, height: picture.height)
        let read = try #require(ThumbHash.rgba(of: hash, width: picture.width, height: picture.height))
        let sum = zip(picture.rgba, read).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(read.count)
    }

    @Test("what is smooth comes back nearly as it was")
    func comesBack() throws {
        #expect(try self.difference(.gradient(32, 32)) < 12)
        #expect(try self.difference(.gradient(67, 100)) < 12)
        #expect(try self.difference(.flat(32, 20, [200, 100, 51, 255])) < 4)
        #expect(try self.difference(.disc(48, 64)) < 40)
    }

    @Test("what is no hash is none", arguments: [[], [1, 2, 3, 4], [UInt8](repeating: 0xFF, count: 8)])
    func isNone(hash: [UInt8]) {
        #expect(ThumbHash.rgba(of: hash, width: 8, height: 8) == nil)
    }

    @Test("every hash is a file of less than a kilobyte", arguments: ThumbHashTests.known, [OutputFormat.png, .webp])
    func files(known: (picture: RGBAPicture, hash: String), format: OutputFormat) throws {
        let (bytes, size) = try PlaceholderPicture.file(
            thumbHash: known.hash, original: (known.picture.width, known.picture.height), format: format)
        #expect(bytes.count < 1024)
        let header = try inspect(bytes.span.bytes, limits: .init())
        #expect(header.width == size.width && header.height == size.height)
        #expect(max(size.width, size.height) <= 32 && max(size.width, size.height) >= 8)
    }

    @Test("Base64 is read back, and nothing else")
    func base64() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 47 &+ count) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        for text in ["a", "ab", "abc", "a===", "ab c", "ab-_", "é==="] { #expect(Base64.decode(text) == nil) }
    }
}

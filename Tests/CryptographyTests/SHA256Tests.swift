import Cryptography
import Testing

/// The vectors of FIPS 180-4's examples and of RFC 6234, 8.5.
struct SHA256Tests {
    private static let vectors: [(text: String, digest: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "01234567012345670123456701234567", count: 20),
            "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"
        ),
    ]

    @Test(arguments: Self.vectors)
    func hashesThePublishedVectors(text: String, digest: String) {
        #expect(SHA256.hash(data: text.utf8) == bytes(digest))
        #expect(SHA256.hash(data: Array(text.utf8)) == bytes(digest))
    }

    @Test func aMillionBytesInPiecesOfOddLengthsHaveTheDigestOfTheWhole() {
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 131)
        var (state, rest, length) = (SHA256(), 1_000_000, 0)
        while rest > 0 {
            // 0, 37, 74, 111, 16, …: empty pieces, pieces within a block, and pieces across its end.
            let count = min(rest, length % 132)
            state.update(data: piece.prefix(count))
            (rest, length) = (rest - count, length + 37)
        }
        let digest = bytes("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(state.finalize() == digest)
        #expect(SHA256.hash(data: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)) == digest)
    }

    @Test func everySplitOfTwoBlocksGivesTheSameDigest() {
        let text = (0..<128).map { UInt8($0) }
        let whole = SHA256.hash(data: text)
        for split in 0...text.count {
            var state = SHA256()
            state.update(data: text[..<split])
            state.update(data: text[split...])
            #expect(state.finalize() == whole, "split at \(split)")
        }
    }

    @Test func aCopyContinuesIndependently() {
        var first = SHA256()
        first.update(data: "ab".utf8)
        var second = first
        first.update(data: "c".utf8)
        second.update(data: "d".utf8)
        #expect(first.finalize() == SHA256.hash(data: "abc".utf8))
        #expect(second.finalize() == SHA256.hash(data: "abd".utf8))
    }

    @Test func theDigestLeavesTheStateAsItIs() {
        var state = SHA256()
        state.update(data: "ab".utf8)
        #expect(state.finalize() == SHA256.hash(data: "ab".utf8))
        #expect(state.finalize() == SHA256.hash(data: "ab".utf8))
        state.update(data: "c".utf8)
        #expect(state.finalize() == SHA256.hash(data: "abc".utf8))
    }

    @Test func bytesThatAreNotContiguousAreHashedInTheirOrder() {
        let parts = [Array("a".utf8), Array("bc".utf8)]
        #expect(SHA256.hash(data: parts.joined()) == SHA256.hash(data: "abc".utf8))
        #expect(SHA256.hash(data: Array("cba".utf8).reversed()) == SHA256.hash(data: "abc".utf8))
    }
}

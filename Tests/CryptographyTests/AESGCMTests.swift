import Testing

@testable import Cryptography

struct AESGCMTests {
    /// A test case with a 256-bit key from McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B.
    struct Vector: Sendable {
        var key = "feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308"
        var nonce = "cafebabefacedbaddecaf888"
        let text: String
        var context = ""
        let encrypted: String
        let tag: String

        var sealed: [UInt8] { bytes(self.nonce + self.encrypted + self.tag) }
    }

    private static let zeros = String(repeating: "0", count: 64)
    private static let vectors = [
        // Test cases 13 to 16.
        Vector(
            key: Self.zeros, nonce: String(Self.zeros.prefix(24)), text: "", encrypted: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: Self.zeros, nonce: String(Self.zeros.prefix(24)), text: String(Self.zeros.prefix(32)),
            encrypted: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            text: """
                d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b391aafd255
                """,
            encrypted: """
                522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662898015ad
                """,
            tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            text: """
                d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b39
                """,
            context: "feedfacedeadbeeffeedfacedeadbeef abaddad2",
            encrypted: """
                522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662
                """,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
        // Sealed by swift-crypto 4.5.2, which encrypted the databases of earlier releases.
        Vector(
            key: "000102030405060708090a0b0c0d0e0f 101112131415161718191a1b1c1d1e1f",
            nonce: "6465666768696a6b6c6d6e6f", text: "757073747265616d20736563726574",
            context: "6f6e6573686565742073657373696f6e2031", encrypted: "3d6bad120b8c37f31e113a8ba8001e",
            tag: "286d9461e3537109d9e113ff9c26be90"),
    ]

    @Test(arguments: Self.vectors)
    func sealsAndOpensThePublishedVectors(_ vector: Vector) throws {
        let (key, context) = (SymmetricKey(data: bytes(vector.key)), bytes(vector.context))
        let sealed = try AESGCM.seal(
            bytes(vector.text), using: key, nonce: bytes(vector.nonce), authenticating: context)
        #expect(sealed == vector.sealed)
        #expect(try AESGCM.open(vector.sealed, using: key, authenticating: context) == bytes(vector.text))
    }

    @Test func whatWasSealedIsOpened() throws {
        let key = SymmetricKey()
        for count in [0, 1, 15, 16, 17, 100_000] {
            let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = try AESGCM.seal(text, using: key, authenticating: Array("row 1".utf8))
            #expect(sealed.count == 12 + count + 16)
            #expect(try AESGCM.open(sealed, using: key, authenticating: Array("row 1".utf8)) == text)
        }
    }

    @Test func everySealedTextHasItsOwnNonce() throws {
        let key = SymmetricKey()
        let sealed = try (0..<100).map { _ in try AESGCM.seal(Array("text".utf8), using: key) }
        #expect(Set(sealed.map { Array($0.prefix(12)) }).count == sealed.count)
    }

    @Test func aChangedBitIsNotAuthentic() throws {
        let vector = Self.vectors[3]
        let (key, context) = (SymmetricKey(data: bytes(vector.key)), bytes(vector.context))
        // Each bit is in the nonce, the ciphertext or the tag.
        for bit in 0..<8 * vector.sealed.count {
            var changed = vector.sealed
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: AESGCM.Failure.notAuthentic, "bit \(bit)") {
                try AESGCM.open(changed, using: key, authenticating: context)
            }
        }
    }

    @Test func otherAuthenticatedDataAndAnotherKeyAreNotAuthentic() throws {
        let vector = Self.vectors[3]
        let (key, context) = (SymmetricKey(data: bytes(vector.key)), bytes(vector.context))
        var changed = context
        changed[7] ^= 1
        for other in [[], changed, context + [0], Array(context.dropLast())] {
            #expect(throws: AESGCM.Failure.notAuthentic) {
                try AESGCM.open(vector.sealed, using: key, authenticating: other)
            }
        }
        #expect(throws: AESGCM.Failure.notAuthentic) {
            try AESGCM.open(vector.sealed, using: SymmetricKey(), authenticating: context)
        }
    }

    @Test func aTruncatedTextIsRefused() throws {
        let vector = Self.vectors[3]
        let (key, context) = (SymmetricKey(data: bytes(vector.key)), bytes(vector.context))
        for count in 0..<vector.sealed.count {
            #expect(throws: count < 28 ? AESGCM.Failure.tooShort : .notAuthentic, "\(count) bytes") {
                try AESGCM.open(Array(vector.sealed.prefix(count)), using: key, authenticating: context)
            }
        }
    }

    @Test(arguments: [0, 16, 24, 31, 33])
    func keysOfOtherLengthsAreRefused(count: Int) throws {
        let key = SymmetricKey(data: [UInt8](repeating: 1, count: count))
        #expect(throws: AESGCM.Failure.unsuitableKey(byteCount: count)) { try AESGCM.seal([1], using: key) }
        #expect(throws: AESGCM.Failure.unsuitableKey(byteCount: count)) {
            try AESGCM.open([UInt8](repeating: 0, count: 28), using: key)
        }
    }
}

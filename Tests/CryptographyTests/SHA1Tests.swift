import Cryptography
import Testing

/// The vectors of RFC 3174, 7.3, and the empty text.
struct SHA1Tests {
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (
            String(repeating: "0123456701234567012345670123456701234567012345670123456701234567", count: 10),
            "dea356a2cddd90c7a7ecedc5ebb563934f460452"
        ),
    ])
    func hashesThePublishedVectors(text: String, digest: String) {
        #expect(SHA1.hash(data: text.utf8) == bytes(digest))
    }
}

import HTTPSemantics
import Testing

struct Base64URLTests {
    @Test("every value has one text")
    func texts() {
        for bytes in [[], [0], [255], [1, 2], [1, 2, 3], [1, 2, 3, 4], Array(0...255)] as [[UInt8]] {
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        #expect(Base64URL.encode([251, 255]) == "-_8")
        for text in ["-_9", "A", "AA=", "AA==", "A+", "A/", "AB", "A A", "AAAA=", "AAAA====", "AAAAA", "é"] {
            #expect(Base64URL.decode(text) == nil, "\(text)")
        }
    }
}

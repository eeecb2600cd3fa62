import Cryptography
import Testing

struct HMACSHA256Tests {
    /// A test case of RFC 4231, 4; the fifth is omitted, because its code is truncated.
    struct Vector: Sendable {
        let key: [UInt8]
        let data: [UInt8]
        let code: String
    }

    private static let vectors = [
        Vector(
            key: [UInt8](repeating: 0x0b, count: 20), data: Array("Hi There".utf8),
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Vector(
            key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8),
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 20), data: [UInt8](repeating: 0xdd, count: 50),
            code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Vector(
            key: (1...25).map { UInt8($0) }, data: [UInt8](repeating: 0xcd, count: 50),
            code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 131),
            data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Vector(
            key: [UInt8](repeating: 0xaa, count: 131),
            data: Array(
                """
                This is a test using a larger than block-size key and a larger than block-size data. \
                The key needs to be hashed before being used by the HMAC algorithm.
                """.utf8),
            code: "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]

    @Test(arguments: Self.vectors)
    func makesThePublishedCodes(_ vector: Vector) {
        let key = SymmetricKey(data: vector.key)
        let code = HMACSHA256.authenticationCode(for: vector.data, using: key)
        #expect(code == bytes(vector.code))
        #expect(HMACSHA256.isValidAuthenticationCode(code, authenticating: vector.data, using: key))
    }

    @Test func aKeyOfABlockIsNotHashedAndALongerOneIs() {
        let block = [UInt8](repeating: 7, count: 64)
        let code = { (key: [UInt8]) in HMACSHA256.authenticationCode(for: "text".utf8, using: SymmetricKey(data: key)) }
        #expect(code(block) != code(SHA256.hash(data: block)))
        #expect(code(block + [7]) == code(SHA256.hash(data: block + [7])))
        #expect(code(Array(block.prefix(63))) == code(block.prefix(63) + [0]), "a shorter one is padded with zeros")
    }

    @Test func noOtherCodeIsValid() {
        let key = SymmetricKey(data: Array("Jefe".utf8))
        let text = Array("what do ya want for nothing?".utf8)
        let code = HMACSHA256.authenticationCode(for: text, using: key)
        for bit in 0..<8 * code.count {
            var changed = code
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!HMACSHA256.isValidAuthenticationCode(changed, authenticating: text, using: key))
        }
        for other in [[], Array(code.dropLast()), code + [0]] {
            #expect(!HMACSHA256.isValidAuthenticationCode(other, authenticating: text, using: key))
        }
        #expect(!HMACSHA256.isValidAuthenticationCode(code, authenticating: text + [0], using: key))
        #expect(!HMACSHA256.isValidAuthenticationCode(code, authenticating: text, using: SymmetricKey()))
    }
}

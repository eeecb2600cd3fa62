import Cryptography
import Testing

struct SymmetricKeyTests {
    @Test func keysAreEqualWhenAllBytesAre() {
        let bytes = (0..<32).map { UInt8($0) }
        let key = SymmetricKey(data: bytes)
        #expect(key == SymmetricKey(data: bytes))
        #expect(key.withUnsafeBytes { Array($0) } == bytes)
        #expect(key != SymmetricKey(data: bytes.dropLast()))
        #expect(key != SymmetricKey(data: bytes.dropLast() + [0]))
        #expect(SymmetricKey(data: []) == SymmetricKey(data: []))
    }

    @Test func randomKeysHave256BitsAndDiffer() {
        let keys = (0..<100).map { _ in SymmetricKey() }
        #expect(keys.allSatisfy { $0.byteCount == 32 })
        #expect(Set(keys.map { $0.withUnsafeBytes { Array($0) } }).count == keys.count)
    }

    /// The first blocks of RFC 5869's test case 3 and of the input of case 1 without a salt, computed with Python's
    /// hmac.
    @Test(arguments: [
        ("", "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"),
        ("f0f1f2f3f4f5f6f7f8f9", "abbafb13f5c1bc489d4203135817956dd521b39e3bd61d1cc85cef884d1f8e2e"),
    ])
    func derivesTheKeysOfHKDF(info: String, derived: String) {
        let key = SymmetricKey(data: [UInt8](repeating: 0x0b, count: 22))
        #expect(key.derived(info: bytes(info)) == SymmetricKey(data: bytes(derived)))
    }

    @Test func whatIsShownOfAKeyHasNoneOfItsBytes() {
        var dumped = ""
        dump(SymmetricKey(data: [UInt8](repeating: 171, count: 32)), to: &dumped)
        // Elements, not the digits of an address.
        #expect(!dumped.contains("- 171") && !dumped.contains("171, 171"))
    }
}

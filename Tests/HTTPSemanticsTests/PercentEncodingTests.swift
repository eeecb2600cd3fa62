import Testing

@testable import HTTPSemantics

struct PercentEncodingTests {
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// A harmless text that is encoded a number of times, at least once.
    private func encoded(_ count: Int) -> String {
        "%" + String(repeating: "25", count: count - 1) + "61"
    }

    @Test func percentEncodingRoundTrips() {
        for text in ["", "a b", "하녀", "100%", "a/b?c#d&e", "~-._"] {
            #expect(PercentEncoding.decode(PercentEncoding.encode(text.utf8)[...]) == text)
        }
    }

    @Test("only unreserved bytes are written without an escape")
    func encodedBytes() {
        for byte in UInt8.min...UInt8.max {
            let digits = String(byte, radix: 16, uppercase: true)
            let escape = byte < 16 ? "%0\(digits)" : "%\(digits)"
            let isUnreserved = Self.unreserved.contains(byte)
            let expected = isUnreserved ? String(UnicodeScalar(byte)) : escape
            #expect(PercentEncoding.encode([byte]) == expected)
        }
    }

    @Test(
        "malformed escapes and malformed UTF-8 are not decoded",
        arguments: ["%", "a%", "%4", "%4g", "%g4", "% 41", "%C3", "%FF", "%C3%", "%-1"])
    func malformed(text: String) {
        #expect(PercentEncoding.decode(text[...]) == nil)
    }

    @Test("30 combining marks may follow one another", arguments: ["", "%41"])
    func marks(prefix: String) {
        let marks = String(repeating: "\u{301}\u{316}", count: 15)
        #expect(PercentEncoding.decode("\(prefix)\(marks)한\(marks)")?.unicodeScalars.count == prefix.count / 3 + 61)
        #expect(PercentEncoding.decode("\(prefix)\(marks)\u{301}") == nil)
    }

    @Test("escapes are decoded once, in both cases")
    func decoded() {
        #expect(PercentEncoding.decode("%41%2f%2F+%2525") == "A//+%25")
        #expect(PercentEncoding.decode("%C3%A9") == "é" && PercentEncoding.decode("é+") == "é+")
    }

    @Test(
        "a path may hold a dot segment in any encoding",
        arguments: [
            ".", "..", "a/..", "../a", "a/./b", "a\\..", "..\\a", "%2e", "%2E%2e/a", "a%2f..", "a%5C..", "..;x", "..?x",
            "..#x", "..\u{0}x", "..\u{1F}", ".. ", ".%20%20", "..%00.jpg", "%c0%ae", "a/%c0%ae.", "a%c0%af..",
            "a%C1%9C..", "a/%25c0%25ae", "%252e%2525252e",
        ])
    func dotSegments(path: String) {
        #expect(PercentEncoding.mayHoldDotSegment(path.utf8))
    }

    @Test(
        "a path without dot segments is safe",
        arguments: [
            "", "/", "a/b", "...", "a.", ".a", "a..b", "..a", "..!", " ..", ".. x", "..~", "%", "%2", "%2/", "..%2",
            "%zz", "%e", "..%41", "%c0%ad", "%c0%b0", "%c1%ae", "a%c1%af..", "a%c0%9c..",
        ])
    func otherSegments(path: String) {
        #expect(!PercentEncoding.mayHoldDotSegment(path.utf8))
    }

    @Test("a segment may hold a slash in any encoding")
    func slashes() {
        for segment in ["a/b", "/", "a\\b", "%2f", "a%5Cb", "a%252fb", "a%c0%af", "%C1%9C"] {
            #expect(PercentEncoding.mayHoldSlash(segment.utf8), "\(segment)")
        }
        for segment in ["", "ab", "a%41", "%2", "..", "%c0%ae"] {
            #expect(!PercentEncoding.mayHoldSlash(segment.utf8), "\(segment)")
        }
    }

    @Test("a text that was encoded more than eight times is not trusted")
    func depth() {
        #expect(!PercentEncoding.mayHoldSlash(self.encoded(8).utf8))
        #expect(!PercentEncoding.mayHoldDotSegment(self.encoded(8).utf8))
        #expect(PercentEncoding.mayHoldSlash(self.encoded(9).utf8))
        #expect(PercentEncoding.mayHoldDotSegment(self.encoded(9).utf8))
    }
}

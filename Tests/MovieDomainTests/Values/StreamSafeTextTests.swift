import MovieDomain
import Testing

@Suite("Stream-safe texts", .timeLimit(.minutes(1)))
struct StreamSafeTextTests {
    @Test(
        "texts of any language are as they were",
        arguments: ["", "a", "e\u{301}\u{316}", "각본", "한글", "กำ่", "🇰🇷👩‍👩‍👧", "क्ष्म्य"])
    func unchanged(text: String) {
        #expect(text.streamSafe.unicodeScalars.elementsEqual(text.unicodeScalars))
        let most = "e" + String(repeating: "\u{301}", count: String.combiningMarkLimit)
        #expect((most + text).streamSafe.unicodeScalars.count == (most + text).unicodeScalars.count)
    }

    @Test func marksBeyondTheLimitAreLeftOut() {
        let marks = String(repeating: "\u{301}\u{316}", count: 100_000)
        let limited = "a\(marks)b\(marks)c".streamSafe
        #expect(limited.unicodeScalars.count == 3 + 2 * String.combiningMarkLimit)
        // With all marks this would take minutes.
        #expect(Set([limited, limited + "x", "a"]).count == 3)
    }

    @Test(
        "texts are cut between scalars",
        arguments: [
            ("abc", 3, "abc"), ("abc", 2, "ab"), ("a글b", 3, "a"), ("a글b", 4, "a글"), ("🇰🇷", 5, "🇰"), ("글", 2, ""),
            ("", 0, ""),
        ])
    func cut(text: String, limit: Int, expected: String) {
        #expect(text.limited(toBytes: limit) == expected)
    }
}

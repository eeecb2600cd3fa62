import HTTPTypes
import Testing

@testable import HTTPSemantics

struct RangeRequestTests {
    private static let tag = EntityTag(digestOf: ["a"])
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let second: Int64 = 784_111_777

    private func outcome(
        _ range: String, condition: String? = nil, method: HTTPRequest.Method = .get, length: Int = 100,
        modifiedAt: Int64? = Self.second
    ) -> RangeRequest.Outcome {
        var fields: HTTPFields = [.range: range]
        fields[.ifRange] = condition
        return RangeRequest(fields, method: method).outcome(length: length, tag: Self.tag, modifiedAt: modifiedAt)
    }

    @Test(
        "one range is a part",
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=5-", 5..<100), ("bytes=-5", 95..<100),
            ("bytes=-1000", 0..<100), ("bytes=99-", 99..<100), ("bytes=0-99", 0..<100), ("bytes=0-1000", 0..<100),
            ("bytes=50-99999999999999999999999", 50..<100), ("BYTES=0-9", 0..<10), ("bytes= 0-9 ", 0..<10),
            ("bytes=0-9,", 0..<10), ("bytes=-99999999999999999999999", 0..<100),
        ])
    func parts(value: String, part: Range<Int>) {
        #expect(self.outcome(value) == .part(part))
        #expect(self.outcome(value, method: .head) == .whole, "it means nothing to HEAD")
    }

    @Test(
        "several, and what is malformed, is all of it",
        arguments: [
            "bytes=0-1,3-4", "bytes=0-1, 3-4", "bytes=9-0", "bytes=", "bytes=-", "bytes", "", "lines=0-9", "bytes=a-b",
            "bytes=0-9-", "bytes=+1-9", "bytes=0 - 9", "0-9", "bytes=--1", "bytes=,", "bytes=1-é",
            "=bytes=0-9", "bytes=0-9=",
        ])
    func wholes(value: String) {
        #expect(self.outcome(value) == .whole)
    }

    @Test("a range that begins after the end is unsatisfiable", arguments: ["bytes=100-", "bytes=100-200", "bytes=-0"])
    func unsatisfiable(value: String) {
        #expect(self.outcome(value) == .unsatisfiable)
    }

    @Test func aSuffixIsOfWhatThereIs() {
        #expect(self.outcome("bytes=-1") == .part(99..<100) && self.outcome("bytes=-1", length: 1) == .part(0..<1))
        #expect(self.outcome("bytes=-1", length: 0) == .unsatisfiable)
    }

    @Test func withIfRangeAPartIsSentOnlyOfTheSame() {
        let own = Self.tag.description
        #expect(self.outcome("bytes=0-9", condition: own) == .part(0..<10))
        #expect(self.outcome("bytes=0-9", condition: Self.date) == .part(0..<10))
        for other in ["W/\(own)", "\"x\"", "\(own), \"x\"", "*", "", "Sun, 06 Nov 1994 08:49:38 GMT", "x"] {
            #expect(self.outcome("bytes=0-9", condition: other) == .whole, "\(other)")
            #expect(self.outcome("bytes=100-", condition: other) == .whole, "\(other)")
        }
        #expect(self.outcome("bytes=0-9", condition: Self.date, modifiedAt: nil) == .whole)
        #expect(self.outcome("bytes=0-9", condition: "x", modifiedAt: nil) == .whole)
    }
}

import HTTPTypes
import Testing

@testable import HTTPSemantics

struct FieldSyntaxTests {
    /// Swift compares a character with so many marks for minutes.
    private static let marks = "e" + String(repeating: "\u{301}\u{316}", count: 200_000)
    private static let tag = EntityTag(hexadecimal: "0123456789abcdef0123456789abcdef")

    @Test func partsWithOtherCharactersThanASCIIAreOmitted() {
        #expect(FieldSyntax.parts(of: "a,é, b ,,\u{301}", at: ",") == ["a", " b "])
        #expect(FieldSyntax.parts(of: "a=b=c", at: "=", maxSplits: 1, omittingEmpty: false) == ["a", "b=c"])
        #expect(FieldSyntax.directives("é=1, max-age=5, max-age\u{301}=6") == ["max-age": "5"])
    }

    @Test("fields with many combining marks are read quickly", .timeLimit(.minutes(1)))
    func manyMarks() {
        let marks = Self.marks
        #expect(AcceptEncoding(marks + ",gzip;" + marks + ",br;q=0.5").coding == .brotli)
        #expect(IfNoneMatch(marks + "," + Self.tag.description).matches(Self.tag))
        var fields = HTTPFields()
        fields[.ifMatch] = marks
        #expect(Preconditions(fields).outcome(tag: Self.tag, modifiedAt: nil) == .failed)
        fields[.range] = marks + "=" + marks
        fields[.ifRange] = "\"" + marks
        #expect(RangeRequest(fields, method: .get).outcome(length: 9, tag: Self.tag, modifiedAt: nil) == .whole)
        fields[.ifRange] = nil
        #expect(RangeRequest(fields, method: .get).outcome(length: 9, tag: Self.tag, modifiedAt: nil) == .whole)
        #expect(FieldSyntax.directives("\(marks)=1, max-age=5")["max-age"] == "5")
    }
}

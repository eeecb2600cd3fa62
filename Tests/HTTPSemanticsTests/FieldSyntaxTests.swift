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

    @Test("a token has letters, digits and certain signs")
    func tokens() {
        let signs = Set("!#$%&'*+-.^_`|~".utf8)
        for byte in UInt8.min..<128 {
            let isOfToken = byte.isAlphanumeric || signs.contains(byte)
            #expect(FieldSyntax.isToken("a" + String(UnicodeScalar(byte))) == isOfToken, "\(byte)")
        }
        #expect(!FieldSyntax.isToken("") && !FieldSyntax.isToken("é"))
    }

    @Test("a value has no control characters other than tab")
    func values() {
        for byte in UInt8.min..<128 {
            let isOfValue = byte == 9 || (32...126).contains(byte)
            #expect(FieldSyntax.isValue("a" + String(UnicodeScalar(byte))) == isOfValue, "\(byte)")
        }
        #expect(FieldSyntax.isValue("") && FieldSyntax.isValue("é"))
    }

    @Test("blanks are spaces and tabs, and are trimmed at both ends")
    func blanks() {
        #expect(" \t a \tb\t ".trimmingBlanks == "a \tb" && "\u{B}a\n".trimmingBlanks == "\u{B}a\n")
        #expect(" \t".trimmingBlanks.isEmpty && "".trimmingBlanks.isEmpty)
    }

    @Test("ASCII ends with the delete character")
    func lastOfASCII() {
        #expect(FieldSyntax.parts(of: "a\u{7F},b\u{80}", at: ",") == ["a\u{7F}"])
        #expect(FieldSyntax.directives("a\u{7F}=1, b\u{80}=2") == ["a\u{7F}": "1"])
    }

    @Test("a number of seconds has digits only, and is clamped to 2³¹")
    func seconds() {
        for (text, seconds) in [
            ("0", 0), ("9", 9), ("0031", 31), ("2147483647", 1 << 31 - 1), ("2147483648", 1 << 31),
            ("2147483649", 1 << 31), ("99999999999999999999999", 1 << 31),
        ] as [(String, Int64)] {
            #expect(FieldSyntax.seconds(text) == seconds, "\(text)")
        }
        for text in ["", " 1", "+1", "-1", "1.5", "1/", "1:", "٣"] {
            #expect(FieldSyntax.seconds(text) == nil, "\(text)")
        }
    }

    @Test(
        "directives have lower-case names and values without quotation marks",
        arguments: [
            ("max-age=5, no-cache", ["max-age": "5", "no-cache": ""]), ("MAX-AGE = 5 , max-age=6", ["max-age": "5"]),
            ("private=\"x, y=z\", b", ["private": "x, y=z", "b": ""]), ("a=b=c", ["a": "b=c"]),
            (#"a="x\"y",b"#, ["a": #"x"y"#, "b": ""]), (#"a="\\",b"#, ["a": #"\"#, "b": ""]),
            (#"a=\,b"#, ["a": #"\"#, "b": ""]), (#""a\=b"=c"#, ["a=b": "c"]), (#""a\\b"=c"#, [#"a\b"#: "c"]),
            ("=5", [:]), ("", [:]), (" ,\t,, ", [:]), ("a=\"b", ["a": "b"]),
        ])
    func directives(text: String, directives: [String: String]) {
        #expect(FieldSyntax.directives(text) == directives)
    }
}

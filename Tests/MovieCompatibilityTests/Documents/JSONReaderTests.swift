import MovieCompatibility
import Testing

struct JSONReaderTests {
    @Test(
        "a document is written as it was read, but for white space",
        arguments: [
            "{}", "[]", #"{"b":1,"a":2}"#, #"{"a":[1,-2,3.5,1e+3,true,false,null,"x"]}"#, #""한국""#, "0",
            #"{"a":{"a":{"a":[]}}}"#, #""\"\\/\n\t""#, "9007199254740993",
        ])
    func keepsDocuments(text: String) throws {
        let document = try JSONReader.document(Array(" \n\(text)\r\n\t".utf8))
        let written = String(decoding: document.bytes, as: UTF8.self)
        #expect(written == text.replacing("1e+3", with: "1000"))
    }

    @Test func escapesAreDecoded() throws {
        let text = #""\u0041\uD83C\uDFAC\ud800x\b\f\/""#
        #expect(try JSONReader.document(Array(text.utf8)) == .string("A\u{1F3AC}\u{FFFD}x\u{8}\u{C}/"))
        let unpaired = #""\ud800\u0041\ud800\ud83c\udfac""#
        #expect(try JSONReader.document(Array(unpaired.utf8)) == .string("\u{FFFD}A\u{FFFD}\u{1F3AC}"))
    }

    @Test(
        "other text is refused",
        arguments: [
            "", " ", "{", "[1", "[1,]", #"{"a"}"#, #"{"a":}"#, #"{a:1}"#, #""x"#, #""\q""#, #""\u12""#, #""\u+12F""#,
            "tru", "nul",
            "1 2", "--1", "1e999", "+",
            "+1", "01", "-01", ".5", "-.5", "1.", "1e", "1e+", "0x1", "\"\t\"", String(repeating: "[", count: 100),
        ])
    func refuses(text: String) {
        #expect(throws: JSONReader.Malformed.self) { try JSONReader.document(Array(text.utf8)) }
    }

    @Test(.timeLimit(.minutes(1)))
    func longNamesAreRefusedAndManyMarksLeftOut() throws {
        let name = String(repeating: "n", count: 129)
        #expect(throws: JSONReader.Malformed.self) { try JSONReader.document(Array(#"{"a":{"\#(name)":1}}"#.utf8)) }
        let text = "e" + String(repeating: "\u{301}\u{316}", count: 30_000)
        let document = try JSONReader.document(Array("\"\(text)\"".utf8))
        #expect(document == .string("e" + String(repeating: "\u{301}\u{316}", count: 15)))
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: JSONReader.Malformed.self) { try JSONReader.document([0x22, 0xFF, 0x22]) }
    }
}

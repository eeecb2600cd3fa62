import Testing

@testable import OneSheetConfiguration

struct JSONTextTests {
    @Test(
        "values are read as they are written",
        arguments: [
            (" null ", .null), ("true", .scalar("true")), ("-0.5e+3", .scalar("-0.5e+3")),
            ("12345678901234567890", .scalar("12345678901234567890")), ("\"\"", .scalar("")),
            (#""\"\\\/\b\f\n\r\t\u00e4\uD83D\uDE00ü""#, .scalar("\"\\/\u{8}\u{C}\n\r\tä😀ü")),
            ("[ ]", .array([])), ("[1, [true]]", .array([.scalar("1"), .array([.scalar("true")])])),
            ("{}", .object([:])), (#"{"a":{"b":null}}"#, .object(["a": .object(["b": .null])])),
        ] as [(String, JSONText.Value)])
    func values(text: String, value: JSONText.Value) throws {
        #expect(try JSONText.parse(Array(text.utf8)) == value)
    }

    @Test(
        "what is wrong is said with its place",
        arguments: [
            ("", "a value is missing", 1, 1), ("\n nul", "a value is missing", 2, 2),
            ("1 2", "something follows the value", 1, 3), ("01", "a number is malformed", 1, 1),
            ("[1.]", "a number is malformed", 1, 2), ("\"a", "a text does not end", 1, 3),
            ("\"a\nb\"", "a control character is not escaped", 1, 3), (#""\x""#, "an escape is malformed", 1, 3),
            (#""\uD83D""#, "an escape is malformed", 1, 8), (#""\u12"#, "an escape is malformed", 1, 3),
            ("[1", "',' or ']' is missing", 1, 3), ("{\"a\":1", "',' or '}' is missing", 1, 7),
            ("{\"a\" 1}", "':' is missing", 1, 6), ("{a:1}", "a name in quotes is missing", 1, 2),
            ("[,]", "a value is missing", 1, 2),
        ])
    func failures(text: String, reason: String, line: Int, column: Int) {
        #expect(throws: JSONText.Failure(reason: reason, line: line, column: column)) {
            try JSONText.parse(Array(text.utf8))
        }
    }

    @Test func nestingIsBounded() throws {
        let deep = { Array(String(repeating: "[", count: $0).utf8) + Array(String(repeating: "]", count: $0).utf8) }
        _ = try JSONText.parse(deep(JSONText.maxDepth))
        #expect(throws: JSONText.Failure.self) { try JSONText.parse(deep(JSONText.maxDepth + 1)) }
        #expect(throws: JSONText.Failure.self) { try JSONText.parse(deep(100_000)) }
    }
}

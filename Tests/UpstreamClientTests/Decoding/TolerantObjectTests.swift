import MovieDomain
import Testing

@testable import UpstreamClient

struct TolerantObjectTests {
    private func object(_ json: String) throws -> TolerantObject { try TolerantJSON.object(Array(json.utf8)) }

    @Test(
        "whole numbers are read however they are written",
        arguments: [
            ("24", 24), ("24.0", 24), ("24.9", 24), ("\"24\"", 24), ("\" 24 \"", 24), ("\"331,763\"", 331_763),
            ("-415699000", -415_699_000), ("\"-13\"", -13), ("40541108500", 40_541_108_500),
            ("\"40541108500\"", 40_541_108_500),
            ("1e3", 1000), ("\"+7\"", 7), ("null", nil), ("\"\"", nil), ("\"N/A\"", nil), ("false", nil), ("[]", nil),
            ("{}", nil), ("1e400", nil), ("99999999999999999999", nil), ("\"nan\"", nil), ("\"0x10\"", nil),
            ("9007199254740992", 9_007_199_254_740_992), ("9007199254740993", nil), ("-9223372036854775808", nil),
            ("\"9223372036854775807\"", nil), ("9e18", nil),
        ] as [(String, Int?)])
    func integers(json: String, expected: Int?) throws {
        #expect(try self.object("{\"a\": \(json)}").integer("a") == expected)
    }

    @Test(
        "numbers are read however they are written, and are finite",
        arguments: [
            ("7.9", 7.9), ("\"36.3\"", 36.3), ("\"-47.0\"", -47), ("8", 8), ("\"44510.8\"", 44_510.8), ("\"inf\"", nil),
            ("\"nan\"", nil), ("true", nil), ("\" \"", nil),
        ] as [(String, Double?)])
    func numbers(json: String, expected: Double?) throws {
        #expect(try self.object("{\"a\": \(json)}").number("a") == expected)
    }

    @Test(
        "texts are trimmed, and nothing is nil",
        arguments: [
            ("\"국제시장 \"", "국제시장"), ("\"\"", nil), ("\" \"", nil), ("\"N/A\"", nil), ("\"\\u00a0\"", nil), ("null", nil),
            ("20124079", "20124079"), ("false", nil), ("[1]", nil), ("\"a\\nb\\n\"", "a\nb"), ("\"a\tb\n\"", "a b"),
        ] as [(String, String?)])
    func texts(json: String, expected: String?) throws {
        #expect(try self.object("{\"a\": \(json)}").text("a") == expected)
    }

    @Test(
        "truth is read however it is written",
        arguments: [
            ("true", true), ("false", false), ("1", true), ("0", false), ("\"Y\"", true), ("\"False\"", false),
            ("\"perhaps\"", nil), ("2", nil),
        ] as [(String, Bool?)])
    func flags(json: String, expected: Bool?) throws {
        #expect(try self.object("{\"a\": \(json)}").flag("a") == expected)
    }

    @Test func oneBadRowDoesNotLoseThePage() throws {
        let page = try self.object(#"{"rows": [{"id": 1}, 7, null, "x", [], false, {"id": "2"}, {"id": {}}]}"#)
        #expect(page.rows("rows").map { $0.integer("id") } == [1, 2, nil])
    }

    @Test func missingAndMistakenMembersAreEmpty() throws {
        let object = try self.object(
            #"{"rated": false, "genres": null, "names": "no", "mixed": [1, "a", null, "", {}]}"#)
        #expect(object.object("rated") == nil)
        #expect(object.rows("genres").isEmpty && object.rows("names").isEmpty && object.rows("missing").isEmpty)
        #expect(object.texts("mixed") == ["1", "a"])
        #expect(object.has("genres") && !object.has("missing"))
    }

    @Test func whiteSpaceBeforeAnAnswerDoesNotCount() throws {
        #expect(try self.object("\n\n\n{\"resultCount\": 0}\n").integer("resultCount") == 0)
    }

    @Test(
        "what is no object is reported, without quoting it",
        arguments: [
            ("", "is empty"), ("\n\n \n", "is empty"), ("[]", "is not a JSON object"), ("7", "is not a JSON object"),
            ("null", "is not a JSON object"), ("<html>", "is not well-formed JSON"),
            ("{\"a\":", "is not well-formed JSON"), ("{\"a\": NaN}", "is not well-formed JSON"),
            ("{\"a\": 1} {", "is not well-formed JSON"),
        ])
    func unreadable(json: String, reason: String) {
        let error = #expect(throws: UnreadableResponse.self) { try TolerantJSON.object(Array(json.utf8)) }
        #expect(error?.reason == reason)
    }

    @Test(
        "hostile answers give an error or nothing, and no crash",
        arguments: [
            "{\"a\": " + String(repeating: "[", count: 100_000),
            "{\"a\": " + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}",
            String(repeating: "{\"a\":", count: 100_000) + "1" + String(repeating: "}", count: 100_000),
            "{\"a\": \"" + String(repeating: "x", count: 10_000_000) + "\"}",
            "{\"a\": 1\u{7F}}",
        ])
    func hostile(json: String) {
        #expect(throws: UnreadableResponse.self) { try TolerantJSON.object(Array(json.utf8)) }
    }

    @Test func textsRowsAndMarksAreLimited() throws {
        let text = String(repeating: "글", count: ResponseLimits.textBytes)
        let rows = Array(repeating: #"{"a":1}"#, count: ResponseLimits.rows + 1).joined(separator: ",")
        let marks = "e" + String(repeating: "\u{301}\u{316}", count: 30_000)
        let object = try self.object(
            #"{"text":"\#(text)","rows":[\#(rows)],"others":[7,8,{"b":2}],"marks":"\#(marks)"}"#)
        let kept = try #require(object.text("text"))
        #expect(kept.utf8.count <= ResponseLimits.textBytes && kept.utf8.count > ResponseLimits.textBytes - 3)
        #expect(text.hasPrefix(kept))
        #expect(object.rows("rows").count == ResponseLimits.rows && object.texts("rows").isEmpty)
        #expect(object.rows("rows", limit: 2).count == 2)
        #expect(object.rows("others", limit: 2).isEmpty && object.rows("others", limit: 3).count == 1)
        #expect(object.text("marks")?.unicodeScalars.count == 1 + String.combiningMarkLimit)
    }

    @Test func longNamesOfMembersAreRefusedWhereverTheyAre() throws {
        let long = String(repeating: "\u{301}\u{316}", count: JSONNames.byteLimit)
        for json in [#"{"\#(long)":1}"#, #"{"a":[{"b\"c":"d","\#(long)" : 1}]}"#] {
            let error = #expect(throws: UnreadableResponse.self) { try self.object(json) }
            #expect(error?.reason == "has a member whose name is longer than \(JSONNames.byteLimit) bytes")
        }
        let object = try self.object(#"{"a":"\#(long)","b\\":["\#(long)","\#(long)"]}"#)
        #expect(object.has("a") && object.texts("b\\").count == 2)
    }

    @Test func numbersOfManyDigitsAreNothing() throws {
        let digits = String(repeating: "9", count: 100_000)
        let object = try self.object("{\"a\": \"\(digits)\", \"b\": 5}")
        #expect(object.integer("a") == nil && object.number("a") == nil && object.integer("b") == 5)
    }

    @Test(
        "a text that is none is missing, and its neighbours are there",
        arguments: [Array("\\ud800".utf8), [0xFF, 0xFE, 0xC0]])
    func brokenText(bytes: [UInt8]) throws {
        let json = Array("{\"a\": \"".utf8) + bytes + Array("\", \"b\": 5}".utf8)
        let object = try TolerantJSON.object(json)
        #expect(object.text("a") == nil && object.integer("b") == 5)
    }
}

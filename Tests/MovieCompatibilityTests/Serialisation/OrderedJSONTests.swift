import Testing

@testable import MovieCompatibility

@Suite struct OrderedJSONTests {
    @Test(
        "values are written as other services write them",
        arguments: [
            (OrderedJSON.null, "null"), (true, "true"), (7, "7"), (.number(7), "7"), (.number(7.194), "7.194"),
            (.number(-0.5), "-0.5"), (.number(.nan), "null"), ("", "\"\""), ([], "[]"), (.object([]), "{}"),
            ("a\"\\\n\u{1}/é한", #""a\"\\\n\u0001/é한""#), ([1, nil, "x"], #"[1,null,"x"]"#),
            (["b": 1, "a": [:]], #"{"b":1,"a":{}}"#),
        ] as [(OrderedJSON, String)])
    func text(value: OrderedJSON, text: String) {
        #expect(String(decoding: value.bytes, as: UTF8.self) == text)
    }

    @Test func objectsKeepTheOrderOfTheirMembers() {
        let object: OrderedJSON = ["z": 1, "a": 2]
        let all = object.adding(["m": 3]).adding(nil)
        #expect(String(decoding: all.bytes, as: UTF8.self) == #"{"z":1,"a":2,"m":3}"#)
        #expect(all.removing("a") == ["z": 1, "m": 3])
    }
}

@Suite struct JSONSplicingTests {
    @Test(
        "only the beginnings of strings are replaced",
        arguments: [
            (#"{"u":"http://a/b"}"#, #"{"u":"x://y/b"}"#), (#"{"u":"http:\/\/a\/b"}"#, #"{"u":"x://y/b"}"#),
            (#"{"u":"see http://a/b"}"#, #"{"u":"see http://a/b"}"#), ("[]", "[]"), ("\"", "\""),
        ])
    func prefixes(json: String, changed: String) {
        let bytes = JSONSplicing.replacing(["http://a/"], with: "x://y/", in: Array(json.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == changed)
    }

    @Test(
        "a member is added at the end, and nothing else changes",
        arguments: [
            ("{}", #"{"m":1}"#), (#"{ "a" : 1.50 }"# + "\n", #"{ "a" : 1.50 ,"m":1}"# + "\n"), ("[]", nil), ("", nil),
            ("{", nil),
        ] as [(String, String?)])
    func member(json: String, changed: String?) {
        let bytes = JSONSplicing.adding("m", Array("1".utf8), to: Array(json.utf8))
        #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == changed)
    }
}

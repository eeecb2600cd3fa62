import Foundation

@testable import MovieCompatibility

extension FuzzTarget {
    /// Documents of other services: the reader accepts what Foundation accepts, within its limits, and reads its own
    /// output unchanged.
    static let json = FuzzTarget(
        "json",
        words: [
            "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u", "\\ud83d\\ude00", "\\u0000", "true", "false", "null", "-",
            "0",
            "1e5", "1.5", "-0", "E+", "9223372036854775808", "\u{301}", "\u{1100}", "\u{0}", "\u{FEFF}", "results",
        ],
        seeds: [
            #"{"a":[1,2.5,-3e2,true,false,null],"b":{"c":"d\n\u00e9\ud83d\ude00"}}"#, "[]", "{}", #""x""#, "12", "-0.5",
            #"[[[[{"a":"\"\\\/\b\f\r\t"}]]]]"#, #"{"a":1,"a":2}"#, " [ 1 , 2 ] ", "1e400", "é",
        ]
    ) { bytes in
        let document = try? JSONReader.document(bytes)
        if bytes.count < 4096 { compare(bytes, document) }
        _ = JSONSplicing.replacing(["https://image.tmdb.org/t/p/", "a"], with: "b", in: bytes)
        _ = JSONSplicing.adding("x", Array("1".utf8), to: bytes)
        _ = TMDBFault(document: bytes)
        guard let document else { return }
        let printed = document.bytes
        guard let again = try? JSONReader.document(printed) else {
            // Names and texts may be lengthened by joiners that make them stream-safe.
            return check(printed.count > bytes.count, "the reader rejects its own output")
        }
        check(again.bytes == printed, "printing is not stable")
        _ = document.sorted.bytes
        let xml = DocumentXML { $0 + "s" }
        _ = xml.bytes(document)
    }

    private static func compare(_ bytes: [UInt8], _ document: OrderedJSON?) {
        let data = Data(bytes)
        let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
        // Foundation also reads UTF-16, UTF-32 and a byte order mark.
        let isUTF8 = !bytes.contains(0) && !bytes.starts(with: [0xEF, 0xBB, 0xBF])
        // Foundation rejects an unpaired surrogate, which the reader replaces.
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        let isReplaced = ["8", "9", "a", "b", "c", "d", "e", "f"].contains { text.contains("\\ud" + $0) }
        if document != nil, !isReplaced { check(isJSON, "accepted, but no JSON: \(text)") }
        if document == nil, isJSON, isUTF8 {
            // Foundation accepts a comma after the last element.
            let signs = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            let hasLastComma = zip(signs, signs.dropFirst()).contains {
                $0 == UInt8(ascii: ",") && ($1 | 0x20) == UInt8(ascii: "}")
            }
            let isDeep = bytes.count(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }) >= 64
            check(
                isDeep || hasLastComma || bytes.count > 128,
                "rejected, but JSON: \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}

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
            #"[[[[{"a":"\"\\\/\b\f\r\t"}]]]]"#, #"["\ud83d\ud83d\ude00","\\ud83d"]"#,
            #"{"a":1,"a":2}"#, " [ 1 , 2 ] ", "1e400", "é",
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
        if document != nil, !self.hasUnpairedSurrogate(bytes) {
            check(isJSON, "accepted, but no JSON: \(String(decoding: bytes, as: UTF8.self))")
        }
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

    /// Whether a document escapes one half of a surrogate pair without the other.
    private static func hasUnpairedSurrogate(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\\")) {
            rest = rest[start...]
            let unit = self.escapedUnit(rest)
            let isLead = unit.map(UTF16.isLeadSurrogate) == true
            if isLead, self.escapedUnit(rest.dropFirst(6)).map(UTF16.isTrailSurrogate) != true { return true }
            if unit.map(UTF16.isTrailSurrogate) == true { return true }
            rest = rest.dropFirst(isLead ? 12 : 2)
        }
        return false
    }

    /// The UTF-16 code unit of the escape at the beginning; `nil` for another one, or none.
    private static func escapedUnit(_ bytes: ArraySlice<UInt8>) -> UInt16? {
        guard bytes.starts(with: "\\u".utf8), bytes.count >= 6 else { return nil }
        return UInt16(String(decoding: bytes.dropFirst(2).prefix(4), as: UTF8.self), radix: 16)
    }
}

/// HTML character references: numeric ones, and the names that occur in titles and plots.
enum HTMLEntities {
    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "middot": "·", "hellip": "…",
        "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "times": "×",
        "eacute": "é", "egrave": "è", "agrave": "à", "aacute": "á", "iacute": "í", "oacute": "ó", "uacute": "ú",
        "ntilde": "ñ", "ccedil": "ç", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü",
        "szlig": "ß", "deg": "°", "bull": "•", "copy": "©", "reg": "®", "trade": "™",
    ]

    private static let scalars = Dictionary(
        uniqueKeysWithValues: Self.names.map { (ShortName($0.key.utf8), $0.value) })

    /// The maximal length of a reference in bytes between `&` and `;`.
    private static let maxLength = 10

    /// Decodes references; unknown ones stay unchanged.
    /// - Returns: `nil` if there is no known reference.
    static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var decoded: [UInt8] = []
        /// The end of the part that has been copied or decoded.
        var start = 0
        for mark in text.indices where text[mark] == UInt8(ascii: "&") {
            var end = mark + 1
            let limit = min(text.count, end + Self.maxLength)
            while end < limit, Self.isPart(text[end]) { end += 1 }
            guard end < text.count, text[end] == UInt8(ascii: ";"),
                let scalar = Self.scalar(text[(mark + 1)..<end])
            else { continue }
            if start == 0 { decoded.reserveCapacity(text.count) }
            decoded += text[start..<mark]
            if scalar.isASCII { decoded.append(UInt8(scalar.value)) } else { decoded += String(scalar).utf8 }
            start = end + 1
        }
        return start == 0 ? nil : decoded + text[start...]
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "#"):
            true
        default: false
        }
    }

    /// The character of a reference; `nil` if it is unknown.
    private static func scalar(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard reference.first == UInt8(ascii: "#") else {
            return reference.count <= ShortName.maxLength ? Self.scalars[ShortName(reference)] : nil
        }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X")
        let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
        guard let code = UInt32(text, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(code),
            code >= 32 || code == 9 || code == 10, !(127...159).contains(code)
        else { return nil }
        return scalar
    }
}

/// Character references of HTML: numbers, and the names that occur in titles and plots.
enum HTMLEntities {
    private static let names: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "middot": "·", "hellip": "…",
        "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "times": "×",
        "eacute": "é", "egrave": "è", "agrave": "à", "aacute": "á", "iacute": "í", "oacute": "ó", "uacute": "ú",
        "ntilde": "ñ", "ccedil": "ç", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü",
        "szlig": "ß", "deg": "°", "bull": "•", "copy": "©", "reg": "®", "trade": "™",
    ]

    /// The longest reference, in characters between `&` and `;`.
    private static let maxLength = 10

    /// Unknown references stay as they are.
    static func decoded(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let body = rest.dropFirst().prefix(Self.maxLength + 1)
            guard let end = body.firstIndex(of: ";"), let character = Self.character(body[..<end]) else {
                result.append(rest.removeFirst())
                continue
            }
            result.append(character)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func character(_ reference: Substring) -> Character? {
        guard reference.first == "#" else { return Self.names[String(reference)] }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        guard let code = UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(code),
            code >= 32 || code == 9 || code == 10, !(127...159).contains(code)
        else { return nil }
        return Character(scalar)
    }
}

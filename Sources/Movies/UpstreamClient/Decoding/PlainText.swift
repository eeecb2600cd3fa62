/// Converts marked-up texts to plain ones.
package enum PlainText {
    /// Without markup, entities (escaped twice, too) and the marks that KMDb puts around what a search matched.
    /// - Returns: nil when nothing is left.
    package static func of(_ text: String) -> String? {
        var plain = Self.withoutMatchMarks(text)
        plain = Self.withoutTags(plain)
        for _ in 0..<2 where plain.contains("&") { plain = HTMLEntities.decoded(plain) }
        plain = Self.trimmed(plain)
        return plain.isEmpty ? nil : plain
    }

    /// Without white space and invisible characters at both ends.
    package static func trimmed(_ text: some StringProtocol) -> String {
        let isOuter = { (character: Character) in
            character.isWhitespace || character == "\u{FEFF}" || character == "\u{200B}" || character == "\0"
        }
        guard let first = text.firstIndex(where: { !isOuter($0) }), let last = text.lastIndex(where: { !isOuter($0) })
        else { return "" }
        return String(text[first...last])
    }

    /// The parts of a list in one text, without empty ones and `N/A`.
    package static func parts(of text: String?, separator: Character) -> [String] {
        (text ?? "").split(separator: separator).map(Self.trimmed).filter { !$0.isEmpty && $0 != "N/A" }
    }

    /// ` !HS 살인의 !HE   !HS 추억 !HE ` as `살인의 추억`: a mark includes the spaces on both sides.
    static func withoutMatchMarks(_ text: String) -> String {
        guard text.contains("!H") else { return text }
        var result = text
        for mark in ["!HS", "!HE"] {
            for variant in [" \(mark) ", "\(mark) ", " \(mark)", mark] {
                result = result.split(separator: variant, omittingEmptySubsequences: false).joined()
            }
        }
        return result.split { $0.isWhitespace }.joined(separator: " ")
    }

    /// Only tags of running text: a film may be called `<Heat>`.
    private static let tags: Set<String> = [
        "a", "b", "br", "div", "em", "font", "i", "p", "small", "span", "strong", "sub", "sup", "u",
    ]

    /// The longest tag, in characters.
    private static let maxTagLength = 512

    private static func withoutTags(_ text: String) -> String {
        guard text.contains("<") else { return text }
        var result = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "<") {
            result += rest[..<open]
            rest = rest[open...]
            guard let close = rest.prefix(Self.maxTagLength).firstIndex(of: ">") else {
                result.append(rest.removeFirst())
                continue
            }
            let inner = rest[rest.index(after: open)..<close].drop { $0 == "/" }
            let name = inner.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
            guard Self.tags.contains(name) else {
                result.append(rest.removeFirst())
                continue
            }
            if name == "br" || name == "p" { result.append("\n") }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

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

/// URLs in responses of other services.
package enum WebURL {
    /// The longest URL that is accepted, in bytes.
    static let maxByteCount = 2048

    /// Whether a text may be the URL of a picture or a page: absolute, `http` or `https`, with a host, and without characters
    /// that would have to be escaped.
    package static func isValid(_ text: String) -> Bool {
        let lowercased = text.prefix(8).lowercased()
        guard text.utf8.count <= Self.maxByteCount,
            let scheme = ["https://", "http://"].first(where: { lowercased.hasPrefix($0) })
        else { return false }
        guard let first = text.dropFirst(scheme.count).first, first.isLetter || first.isNumber else { return false }
        return text.unicodeScalars.allSatisfy {
            $0.value > 32 && $0.value != 127 && !"\"<>\\^`{|}".unicodeScalars.contains($0)
        }
    }

    package static func valid(_ text: String?) -> String? { text.flatMap { Self.isValid($0) ? $0 : nil } }
}

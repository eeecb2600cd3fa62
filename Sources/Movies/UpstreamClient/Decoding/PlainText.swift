/// Texts as people read them, out of texts as others mark them up.
package enum PlainText {
    /// Without markup, entities (escaped twice, too) and the marks that KMDb puts around what a search matched.
    ///
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

    /// ` !HS 살인의 !HE   !HS 추억 !HE ` as `살인의 추억`: every mark has a space on both sides that is its own.
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

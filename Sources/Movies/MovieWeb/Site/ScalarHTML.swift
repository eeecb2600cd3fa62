import Mustache

/// Escapes text for HTML, in elements and in quoted attributes, by Unicode scalar.
///
/// swift-mustache's own content type looks at characters: a quotation mark with a combining mark behind it (U+0022 U+0301) is
/// another character than a quotation mark, stays as it is, and ends the attribute.
struct ScalarHTML: MustacheContentType {
    /// The name under which templates ask for it.
    static let name = "ONESHEET"

    func escapeText(_ text: String) -> String { Self.escape(text) }

    /// Control characters that HTML does not have are left out (HTML, 13.1).
    static func escape(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

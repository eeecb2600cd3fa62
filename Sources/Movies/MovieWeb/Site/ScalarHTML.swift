import Mustache

/// Escapes text for HTML, in elements and quoted attributes, by Unicode scalar.
///
/// swift-mustache's own content type iterates over characters: a quotation mark followed by a combining mark (U+0022
/// U+0301) is a different character, is not escaped, and ends the attribute.
struct ScalarHTML: MustacheContentType {
    /// The content type's name in templates.
    static let name = "ONESHEET"

    func escapeText(_ text: String) -> String { Self.escape(text) }

    /// Omits control characters that HTML does not allow (HTML, 13.1).
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

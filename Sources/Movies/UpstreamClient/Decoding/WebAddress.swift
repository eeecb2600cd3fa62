/// URLs as they occur in others' answers.
package enum WebAddress {
    /// The longest URL that is taken, in bytes.
    static let maxByteCount = 2048

    /// Whether a text may be the URL of a picture, or of a page: absolute, `http` or `https`, with a host, and without anything that would
    /// have to be escaped before it is told on.
    package static func isPicture(_ text: String) -> Bool {
        let lowercased = text.prefix(8).lowercased()
        guard text.utf8.count <= Self.maxByteCount,
            let scheme = ["https://", "http://"].first(where: { lowercased.hasPrefix($0) })
        else { return false }
        guard let first = text.dropFirst(scheme.count).first, first.isLetter || first.isNumber else { return false }
        return text.unicodeScalars.allSatisfy {
            $0.value > 32 && $0.value != 127 && !"\"<>\\^`{|}".unicodeScalars.contains($0)
        }
    }

    /// The URL of a page; nil for anything else.
    package static func page(_ text: String?) -> String? { text.flatMap { Self.isPicture($0) ? $0 : nil } }
}

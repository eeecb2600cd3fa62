/// URLs in responses of other services.
package enum WebURL {
    /// The maximal length of an accepted URL in bytes.
    static let maxByteCount = 2048

    /// Whether a text may be the URL of a picture or a page: absolute, `http` or `https`, with a host, and without
    /// characters that require escaping.
    package static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= Self.maxByteCount else { return false }
        let lowercased = text.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lowercased.hasPrefix($0) }) else { return false }
        guard let first = text.dropFirst(scheme.count).first, first.isLetter || first.isNumber else { return false }
        return text.unicodeScalars.allSatisfy {
            $0.value > 32 && $0.value != 127 && !"\"<>\\^`{|}".unicodeScalars.contains($0)
        }
    }

    package static func valid(_ text: String?) -> String? { text.flatMap { Self.isValid($0) ? $0 : nil } }
}

/// Escapes text for terminals and one-line messages.
package enum TerminalText {
    /// Writes control, format and line-separator characters as `\u{…}`.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: self.isHidden) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if self.isHidden(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// Finds the command, option or key that a misspelled name most likely means.
package enum SpellingDistance {
    /// Longer words are truncated to this many bytes: the time is the product of the lengths.
    private static let maxLength = 64

    /// The most similar known name; `nil` if all differ in more than a third of the bytes (at least 2).
    package static func nearest(to name: String, among known: [String]) -> String? {
        let limit = max(2, name.utf8.count / 3)
        return known.map { (name: $0, distance: Self.between(name, $0)) }
            .filter { $0.distance <= limit }.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// The Levenshtein distance in bytes.
    static func between(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.utf8.prefix(self.maxLength)), Array(second.utf8.prefix(self.maxLength)))
        var row = Array(0...second.count)
        for (i, byte) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in second.enumerated() {
                let exchanged = diagonal + (byte == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(exchanged, row[j] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}

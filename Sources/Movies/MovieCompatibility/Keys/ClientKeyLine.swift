/// A line of a file of client keys.
package struct ClientKeyLine: Sendable {
    /// Replaces an API's name: the key is valid for all of them.
    private static let all = "*"
    /// Minimum length of a key with a visible prefix in ``maskedKey``, and the prefix's length, in characters.
    private static let shownLengths = (key: 16, start: 5)

    /// The API's name, or `*`.
    package let name: String
    package let apis: [CompatibleAPI]
    let key: String
    package let settings: KeySettings

    /// The key for lists: the beginning of a long one, to tell keys apart.
    package var maskedKey: String {
        (self.key.count >= Self.shownLengths.key ? String(self.key.prefix(Self.shownLengths.start)) : "") + "***"
    }

    /// The lines of a text with keys; empty lines, and lines that begin with `#`, are left out.
    package static func lines(of text: String) throws(ClientKeys.Malformed) -> [ClientKeyLine] {
        var lines: [ClientKeyLine] = []
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in all.enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let name = words.first, !name.hasPrefix("#") else { continue }
            lines.append(try ClientKeyLine(words, number: index + 1))
            guard lines.count <= ClientKeys.countLimit else {
                throw ClientKeys.Malformed(line: nil, reason: "it has more than \(ClientKeys.countLimit) keys")
            }
        }
        return lines
    }

    /// - Parameter words: At least one.
    private init(_ words: [Substring], number: Int) throws(ClientKeys.Malformed) {
        guard words.count >= 2, words[1].utf8.count <= ClientKeys.keyLimit, let apis = Self.apis(String(words[0]))
        else { throw ClientKeys.Malformed(line: number, reason: "must be \(ClientKeys.forms)") }
        guard words.count == 2 || apis.contains(.rpdb) else {
            throw ClientKeys.Malformed(
                line: number, reason: "has settings behind the key, which only rpdb's keys take")
        }
        self.name = String(words[0])
        self.apis = apis
        self.key = String(words[1])
        self.settings = words.count == 2 ? .none : try KeySettings(words.dropFirst(2), line: number)
    }

    private static func apis(_ name: String) -> [CompatibleAPI]? {
        if name == Self.all { return CompatibleAPI.allCases }
        return CompatibleAPI(rawValue: name).flatMap { $0.hasKeys ? [$0] : nil }
    }
}

/// The settings behind a client key in a file of keys, such as `badges=imdb,rt`.
package struct KeySettings: Sendable {
    /// The settings of a key without any.
    package static let none = KeySettings()

    /// The line in the file, from 1; `nil` without settings.
    package let line: Int?
    package let values: [(name: String, value: String)]

    private init() {
        self.line = nil
        self.values = []
    }

    /// - Parameter words: Of the form `NAME=VALUE`, each name once.
    init(_ words: some Sequence<Substring>, line: Int) throws(ClientKeys.Malformed) {
        var values: [(name: String, value: String)] = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // The word is not shown: it may be a key.
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw ClientKeys.Malformed(
                    line: line,
                    reason: "must have settings NAME=VALUE behind the key; word \(values.count + 3) is none")
            }
            guard !values.contains(where: { $0.name == parts[0] }) else {
                throw ClientKeys.Malformed(line: line, reason: "has the setting '\(parts[0].prefix(64))' twice")
            }
            values.append((String(parts[0]), String(parts[1])))
        }
        self.line = line
        self.values = values
    }
}

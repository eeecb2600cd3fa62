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

import MovieDomain

/// The pages' texts in Korean, English and Japanese, from `strings.tsv`.
struct TranslatedTexts: Sendable {
    struct Malformed: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = "strings.tsv: \(description)" }
    }

    /// In the order of the columns.
    static let languages: [Language] = ["ko", "en", "ja"].compactMap { Language($0) }
    /// Date patterns: languages may omit different placeholders.
    private static let patterns: Set<String> = ["dateLong", "dateShort", "dateWeekday"]

    private let texts: [String: [Text]]

    /// - Parameter file: Tab-separated rows of key and texts. The first row names the columns; `#` begins a heading.
    init(_ file: String) throws(Malformed) {
        var texts: [String: [Text]] = [:]
        let rows = file.split(separator: "\n")
        let header = "key\t" + Self.languages.map(\.code).joined(separator: "\t")
        guard rows.first.map(String.init) == header else { throw Malformed("the first row must be \(header)") }
        for (place, row) in rows.enumerated().dropFirst() where !row.hasPrefix("#") {
            let cells = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == Self.languages.count + 1, cells.allSatisfy({ !$0.isEmpty }) else {
                throw Malformed("row \(place + 1) must have \(Self.languages.count + 1) non-empty cells")
            }
            let row = cells.dropFirst().map(Text.init)
            guard
                Self.patterns.contains(cells[0])
                    || Set(row.map { $0.names.subtracting(["count", "compact"]) }).count == 1
            else {
                throw Malformed("the placeholders of \(cells[0]) differ between languages")
            }
            guard texts.updateValue(row, forKey: cells[0]) == nil else { throw Malformed("\(cells[0]) occurs twice") }
        }
        self.texts = texts
    }

    var keys: some Collection<String> { self.texts.keys }

    /// The interface's language for a reader: the first preferred one in the table, else English.
    static func language(for preference: LanguagePreference) -> Language {
        preference.languages.first { Self.languages.contains($0) } ?? .english
    }

    /// A text without filling in values; `nil` for an unknown key.
    func text(_ key: String, in language: Language) -> String? {
        self.text(for: key, in: language)?.source
    }

    /// A text with filled-in values. Returns the key if it is unknown, which tests detect.
    ///
    /// - Parameters:
    ///   - count: Selects a form of `{count|one|other}`, and is the grouped value of `{count}` unless `values` has one.
    func text(_ key: String, in language: Language, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:])
        -> String
    {
        guard let text = self.text(for: key, in: language) else { return key }
        return text.filled(count: count) { name in
            values.first { $0.key == name }?.value ?? (name == "count" ? count?.groupedByThousands : nil)
        }
    }

    private func text(for key: String, in language: Language) -> Text? {
        guard let row = self.texts[key], let column = Self.languages.firstIndex(of: language) else { return nil }
        return row[column]
    }
}

extension TranslatedTexts {
    /// A text split at its placeholders.
    struct Text: Hashable, Sendable {
        private enum Part: Hashable, Sendable {
            case plain(String)
            case value(String)
            case choice(one: String, other: String)
        }

        let source: String
        private let parts: [Part]

        init(_ source: String) {
            self.source = source
            var parts: [Part] = []
            var rest = Substring(source)
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
                parts.append(.plain(String(rest[..<open])))
                let inner = rest[rest.index(after: open)..<close].split(
                    separator: "|", omittingEmptySubsequences: false)
                switch inner.count {
                case 3: parts.append(.choice(one: String(inner[1]), other: String(inner[2])))
                default: parts.append(.value(String(inner[0])))
                }
                rest = rest[rest.index(after: close)...]
            }
            self.parts = parts + [.plain(String(rest))]
        }

        var names: Set<String> {
            Set(self.parts.compactMap { if case .value(let name) = $0 { name } else { nil } })
        }

        func filled(count: Int?, _ value: (String) -> String?) -> String {
            self.parts.map { part in
                switch part {
                case .plain(let text): text
                case .value(let name): value(name) ?? "{\(name)}"
                case .choice(let one, let other): count == 1 ? one : other
                }
            }.joined()
        }
    }
}

/// A country of ISO 3166-1, or Kosovo.
package struct Country: Hashable, Sendable {
    /// The current code of two capital letters (ISO 3166-1 alpha-2; `XK` for Kosovo).
    package let code: String

    /// - Parameter code: Not case-sensitive; a former country's code is replaced by its successor's, `SU` by `RU`.
    /// - Returns: `nil` if the code is not assigned.
    package init?(code: String) {
        let code = code.uppercased()
        let current = Self.successors[code] ?? code
        guard Self.names[current] != nil else { return nil }
        self.code = current
    }

    /// - Parameter word: A name in Korean, English or Japanese in a source's spelling; case and white space are
    ///   ignored.
    /// - Returns: `nil` if the name is unknown.
    package init?(word: String) {
        guard let code = Self.codes[VocabularyWord(word)] else { return nil }
        self.code = code
    }

    private init(checked code: String) { self.code = code }

    package static let korea = Country(checked: "KR")
    package static let unitedStates = Country(checked: "US")
    package static let unitedKingdom = Country(checked: "GB")
    package static let japan = Country(checked: "JP")

    /// All countries, by code.
    package static var all: [Country] { Self.names.keys.sorted().map(Country.init(checked:)) }

    /// The name in the first preferred language of Korean, English and Japanese, else in English.
    package func name(in language: LanguagePreference) -> String {
        Self.names[self.code]?.text(in: language) ?? self.code
    }

    /// Maps sources' words to countries, without duplicates, and returns the unknown words.
    package static func reading(_ words: [String]) -> (countries: [Country], others: [String]) {
        var countries: [Country] = []
        var others: [String] = []
        for word in words {
            guard let country = Country(word: word) else {
                others.append(word)
                continue
            }
            if !countries.contains(country) { countries.append(country) }
        }
        return (countries, others)
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: Self.nameTable.split(separator: "\n").compactMap { row in
            LocalisedName(row: row.dropFirst(3)).map { (String(row.prefix(2)), $0) }
        })

    private static let codes: [VocabularyWord: String] = {
        let names = Self.names.map { (words: $0.value.all, value: $0.key) }
        let words = Self.wordTable.split(separator: "\n").map { row in
            (words: row.dropFirst(3).wordsBetweenBars, value: String(row.prefix(2)))
        }
        return VocabularyWord.table(names + words)
    }()
}

extension Country: CustomStringConvertible {
    package var description: String { self.code }
}

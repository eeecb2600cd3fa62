/// A name in Korean, English and Japanese.
struct LocalisedName: Hashable, Sendable {
    let korean, english, japanese: String

    init(_ korean: String, _ english: String, _ japanese: String) {
        self.korean = korean
        self.english = english
        self.japanese = japanese
    }

    /// Reads `korean|english|japanese`.
    /// - Returns: `nil` unless the row has three parts.
    init?(row: some StringProtocol) {
        let parts = Substring(row).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return nil }
        self.init(parts[0], parts[1], parts[2])
    }

    /// The name in the first preferred language of the three, else in English.
    func text(in preference: LanguagePreference) -> String {
        preference.languages.lazy.compactMap { self.text(in: $0) }.first ?? self.english
    }

    func text(in language: Language) -> String? {
        switch language.code {
        case "ko": self.korean
        case "en": self.english
        case "ja": self.japanese
        default: nil
        }
    }

    var all: [String] { [self.korean, self.english, self.japanese] }
}

/// A word of a source, compared without case and white space.
struct VocabularyWord: Hashable, Sendable {
    /// The compared prefix of a word in bytes of UTF-8: longer than any word of the vocabulary.
    private static let maxBytes = 256

    private let folded: String

    init(_ word: some StringProtocol) {
        let word = String(word).limited(toBytes: Self.maxBytes)
        self.folded = String(word.filter { !$0.isWhitespace }).lowercased()
    }

    /// Maps words to values; the first of duplicate words counts.
    static func table<Value>(_ rows: some Sequence<(words: [String], value: Value)>) -> [VocabularyWord: Value] {
        let pairs = rows.flatMap { row in row.words.map { (VocabularyWord($0), row.value) } }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension StringProtocol {
    /// The words between bars, without empty ones.
    var wordsBetweenBars: [String] { Substring(self).split(separator: "|").map(String.init) }
}

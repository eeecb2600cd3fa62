/// A name in Korean, English and Japanese.
struct LocalisedName: Hashable, Sendable {
    let korean, english, japanese: String

    init(_ korean: String, _ english: String, _ japanese: String) {
        self.korean = korean
        self.english = english
        self.japanese = japanese
    }

    /// Reads `korean|english|japanese`.
    /// - Returns: nil for anything but three parts.
    init?(row: some StringProtocol) {
        let parts = Substring(row).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return nil }
        self.init(parts[0], parts[1], parts[2])
    }

    /// The name in the first preferred language that is one of the three; English otherwise.
    func text(in preference: LanguagePreference) -> String {
        preference.languages.lazy.compactMap { self.text(in: $0) }.first ?? self.english
    }

    /// nil for other languages than the three.
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
    /// The part of a word that is compared, in bytes of UTF-8: more than any word of the vocabulary has.
    private static let maxBytes = 256

    private let folded: String

    init(_ word: some StringProtocol) {
        let word = String(word).limited(toBytes: Self.maxBytes)
        self.folded = String(word.filter { !$0.isWhitespace }).lowercased()
    }

    /// The values by word; where a word is there twice, the first counts.
    static func table<Value>(_ rows: some Sequence<(words: [String], value: Value)>) -> [VocabularyWord: Value] {
        let pairs = rows.flatMap { row in row.words.map { (VocabularyWord($0), row.value) } }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension StringProtocol {
    /// The words between bars; empty ones are left out.
    var wordsBetweenBars: [String] { Substring(self).split(separator: "|").map(String.init) }
}

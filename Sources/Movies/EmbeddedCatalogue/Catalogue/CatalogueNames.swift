import MovieDomain

/// How the catalogue's genres, people and other words are called in several languages.
struct CatalogueNames: Sendable {
    /// How somebody is called.
    struct Person: Sendable {
        /// In Latin letters, as the films have it.
        let name: String
        /// By language code.
        private(set) var names: [String: String] = [:]
        /// As their own language writes it.
        private(set) var original: String
        /// How else people write it.
        private(set) var others: [String] = []

        /// All there are.
        var spellings: [String] { [self.name] + self.names.values.sorted() + self.others }

        /// - Parameter name: In Latin letters.
        init(name: String) {
            (self.name, self.original) = (name, name)
        }

        /// - Parameter language: nil for another spelling, by which they are only found.
        mutating func add(_ name: String, language: String?, isOriginal: Bool) {
            if let language { self.names[language] = name } else { self.others.append(name) }
            if isOriginal { self.original = name }
        }
    }

    /// By genre, by language code.
    var genres: [String: [String: String]] = [:]
    /// By word, by language code.
    var words: [String: [String: String]] = [:]
    /// By name in Latin letters.
    var people: [String: Person] = [:]

    func genre(_ id: String, in language: LanguagePreference) -> Genre {
        Genre(id: id, name: language.choice(from: self.genres[id] ?? [:], original: nil)?.text ?? id)
    }

    func word(_ word: String, in language: LanguagePreference) -> String {
        language.choice(from: self.words[word] ?? [:], original: nil)?.text ?? word
    }

    /// In a language that is preferred, else in Latin letters: a reader of French is not helped by 小津安二郎.
    func person(_ name: String, in language: LanguagePreference) -> String {
        guard let names = self.people[name]?.names else { return name }
        for preferred in language.languages {
            if preferred == .english { return name }
            if let text = names[preferred.code] { return text }
        }
        return name
    }
}

/// The genres of films, the same for all sources.
package enum GenreID: String, CaseIterable, Sendable {
    case action
    case adventure
    case animation
    case biography
    case comedy
    case crime
    case documentary
    case drama
    case erotic
    case experimental
    case family
    case fantasy
    case filmNoir = "film-noir"
    case history
    case horror
    case music
    case musical
    case mystery
    case performance
    case romance
    case scienceFiction = "science-fiction"
    case short
    case sport
    case thriller
    case tvMovie = "tv-movie"
    case war
    case western

    /// - Parameter number: TMDB's number of the genre.
    /// - Returns: `nil` if the number is unknown.
    package init?(tmdb number: Int) {
        guard let id = Self.tmdbNumbers[number] else { return nil }
        self = id
    }

    /// The genres of a source's word: `Action & Adventure` has two; empty for unknown words. Case and white space are
    /// ignored.
    package static func ids(word: String) -> [GenreID] { Self.words[VocabularyWord(word)] ?? [] }

    /// The genres of several words, without duplicates.
    package static func ids(words: [String]) -> [GenreID] {
        var once: [GenreID] = []
        for id in words.flatMap({ Self.ids(word: $0) }) where !once.contains(id) { once.append(id) }
        return once
    }

    /// TMDB's number; `nil` if TMDB does not have the genre.
    package var tmdbNumber: Int? { self.entry.tmdbNumber }

    /// The name; `nil` for languages other than Korean, English and Japanese.
    package func name(in language: Language) -> String? { self.entry.names.text(in: language) }

    /// The name in the first preferred language of Korean, English and Japanese, else in English.
    package func name(in language: LanguagePreference) -> String { self.entry.names.text(in: language) }

    private var entry: Entry { Self.entries[self] ?? Entry(names: LocalisedName("", self.rawValue, "")) }
}

extension GenreID {
    private struct Entry: Sendable {
        var tmdbNumber: Int?
        var names: LocalisedName
        var words: [String] = []
    }

    private static let entries: [GenreID: Entry] = Dictionary(
        uniqueKeysWithValues: Self.table.split(separator: "\n").compactMap { row in
            let parts = row.split(separator: ";", omittingEmptySubsequences: false)
            guard parts.count == 4, let id = GenreID(rawValue: String(parts[0])),
                let names = LocalisedName(row: parts[2])
            else { return nil }
            return (id, Entry(tmdbNumber: Int(parts[1]), names: names, words: parts[3].wordsBetweenBars))
        })

    private static let tmdbNumbers = Dictionary(
        uniqueKeysWithValues: Self.entries.compactMap { id, entry in entry.tmdbNumber.map { ($0, id) } })

    private static let words: [VocabularyWord: [GenreID]] = {
        let compounds = Self.compoundTable.split(separator: "\n").map { row in
            let parts = row.split(separator: "=")
            let ids = parts[1].split(separator: ",").compactMap { GenreID(rawValue: String($0)) }
            return (words: [String(parts[0])], value: ids)
        }
        let single = Self.entries.map { id, entry in
            (words: [id.rawValue] + entry.names.all + entry.words, value: [id])
        }
        return VocabularyWord.table(compounds + single)
    }()
}

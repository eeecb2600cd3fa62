import GRDB
import MovieDomain

/// Searches films: the index returns candidates, ``SearchRank`` filters and ranks them.
enum FilmSearch {
    /// The most words of a query that count.
    static let wordLimit = 12
    /// The most films that are looked at.
    static let candidateLimit = 1000

    /// - Returns: Films of `catalogue` by their places in it, the best first; equals in the order of popularity.
    static func films(for query: MovieQuery, _ db: Database, _ catalogue: LoadedCatalogue) throws -> [EmbeddedFilm] {
        let words = Array(FoldedText(query.text).words.prefix(self.wordLimit))
        guard let expression = SearchNGrams.expression(for: words) else { return [] }
        let statement = try db.cachedStatement(
            sql: "SELECT rowid FROM filmSearch WHERE filmSearch MATCH ? ORDER BY rowid LIMIT ?")
        let rows = try Int.fetchAll(statement, arguments: [expression, self.candidateLimit])
        var found: [(rank: SearchRank, popularity: Int, place: Int)] = []
        for place in rows.compactMap({ catalogue.places[$0] }) {
            let film = catalogue.films[place]
            guard query.year.map({ $0 == film.year }) ?? true,
                let rank = SearchRank(of: words, in: catalogue.searchTexts[place])
            else { continue }
            found.append((rank, -(film.score?.count ?? 0), place))
        }
        found.sort { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            return (left.popularity, left.place) < (right.popularity, right.place)
        }
        return found.map { catalogue.films[$0.place] }
    }
}

/// How well a film fits a query; lesser is better.
struct SearchRank: Comparable {
    /// What of the film fits, the best first.
    enum Fit: Comparable {
        case title
        case beginningOfTitle
        case wordsOfTitle
        case partOfTitle
        case director
        case partOfDirector
        case cast
        case partOfCast
        case year
    }

    let fit: Fit
    /// Whether the query ends within a syllable.
    let isUnfinished: Bool
    /// How much longer the title is than what fits of it, in letters; 0 when no title fits.
    let rest: Int

    static func < (left: Self, right: Self) -> Bool {
        (left.fit, left.isUnfinished ? 1 : 0, left.rest)
            < (right.fit, right.isUnfinished ? 1 : 0, right.rest)
    }

    /// - Returns: nil when some word is nowhere.
    init?(of words: [FoldedText], in film: FilmSearchTexts) {
        // "metropolis 1927" is the title and the year; "1984" may be a title as well.
        let rest = words.filter { $0 != film.yearWord }
        let ranks = [
            Self(ofTexts: words, in: film), rest.count < words.count ? Self(ofTexts: rest, in: film) : nil,
            rest.isEmpty ? Self(fit: .year, isUnfinished: false, rest: 0) : nil,
        ]
        guard let best = ranks.compactMap({ $0 }).min() else { return nil }
        self = best
    }

    private init(fit: Fit, isUnfinished: Bool, rest: Int) {
        self.fit = fit
        self.isUnfinished = isUnfinished
        self.rest = rest
    }

    private init?(ofTexts words: [FoldedText], in film: FilmSearchTexts) {
        guard !words.isEmpty else { return nil }
        let together = Self(title: FoldedText(words: words), in: film)
        let apart = Self(apart: words, in: film)
        guard let best = [together, apart].compactMap({ $0 }).min() else { return nil }
        self = best
    }

    /// The whole query within one title, whatever spaces there are.
    private init?(title query: FoldedText, in film: FilmSearchTexts) {
        let ranks = film.titles.compactMap { title in
            SearchMatch(of: query, in: title).map { match in
                Self(
                    fit: Self.fit(ofTitle: match.place), isUnfinished: match.isUnfinished,
                    rest: title.scalars.count - query.scalars.count)
            }
        }
        guard let best = ranks.min() else { return nil }
        self = best
    }

    /// Every word where it fits best; the worst of them counts.
    private init?(apart words: [FoldedText], in film: FilmSearchTexts) {
        var worst = Self(fit: .wordsOfTitle, isUnfinished: false, rest: 0)
        for word in words {
            let inTitle = Self.best(of: word, in: film.titles).map {
                Self(fit: max(.wordsOfTitle, Self.fit(ofTitle: $0.place)), isUnfinished: $0.isUnfinished, rest: 0)
            }
            let byDirector = Self.best(of: word, in: film.directors).map {
                Self(fit: $0.place < .inside ? .director : .partOfDirector, isUnfinished: $0.isUnfinished, rest: 0)
            }
            let byCast = Self.best(of: word, in: film.cast).map {
                Self(fit: $0.place < .inside ? .cast : .partOfCast, isUnfinished: $0.isUnfinished, rest: 0)
            }
            guard let best = [inTitle, byDirector, byCast].compactMap({ $0 }).min() else { return nil }
            worst = max(worst, best)
        }
        self = worst
    }

    private static func best(of word: FoldedText, in texts: [FoldedText]) -> SearchMatch? {
        texts.compactMap { SearchMatch(of: word, in: $0) }.min()
    }

    private static func fit(ofTitle place: SearchMatch.Place) -> Fit {
        switch place {
        case .whole: .title
        case .beginning: .beginningOfTitle
        case .beginningOfWord: .wordsOfTitle
        case .inside: .partOfTitle
        }
    }
}

import GRDB
import MovieDomain

/// Finds films: the index says which may fit, ``SearchRank`` which do, and how well.
enum FilmSearch {
    /// The most words of a query that count.
    static let wordLimit = 12
    /// The most films that are looked at.
    static let candidateLimit = 1000

    /// - Returns: Films of `catalogue` by their places in it, the best first; equals in the order of popularity.
    /// - Throws: `DatabaseError`.
    static func films(for query: MovieQuery, _ db: Database, _ catalogue: LoadedCatalogue) throws -> [EmbeddedFilm] {
        let words = Array(FoldedText(query.text).words.prefix(self.wordLimit))
        guard let expression = SearchGrams.expression(for: words) else { return [] }
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

import MovieTesting
import Testing

@testable import MovieDomain

/// The order of users' lists.
struct SavedFilmArrangementTests {
    private func film(_ id: String, _ title: String, _ year: Int?, score: Double?, original: String = "") throws
        -> SavedFilm
    {
        let id = try #require(MovieID(id))
        let movie = try #require(
            MovieSummary(
                id: id, title: title, originalTitle: original, year: year,
                score: AudienceScore(average: score, count: 1)))
        return SavedFilm(movie, in: .english)
    }

    @Test(
        arguments: [
            (.added, ["a", "b", "c", "d"]), (.title, ["c", "d", "a", "b"]), (.year, ["b", "d", "c", "a"]),
            (.score, ["c", "a", "b", "d"]),
        ] as [(SavedFilmArrangement.Sort, [String])])
    func filmsAreSortedAndMissingValuesAreLast(sort: SavedFilmArrangement.Sort, ids: [String]) throws {
        let films = [
            try self.film("a", "the End", nil, score: 7), try self.film("b", "The Ending", 1999, score: nil),
            try self.film("c", "\u{201C}Alien\u{201D}", 1979, score: 8.5), try self.film("d", "beta", 1999, score: nil),
        ]
        #expect(SavedFilmArrangement(sort)(films).map(\.movie.id.key) == ids)
    }

    @Test func aTextIsInTheTitleOrTheOriginalTitle() throws {
        let films = [
            try self.film("a", "Spider-Man", 2002, score: 7),
            try self.film("b", "기생충", 2019, score: 8, original: "Parasite"),
        ]
        let ids = { (text: String) in SavedFilmArrangement(text: text)(films).map(\.movie.id.key) }
        #expect(ids("SPIDER man") == ["a"] && ids("paras") == ["b"] && ids("생충") == ["b"])
        #expect(ids(" ") == ["a", "b"] && ids("x").isEmpty)
        #expect(SavedFilmArrangement(text: " ").isDefault && !SavedFilmArrangement(.year).isDefault)
        let long = SavedFilmArrangement(text: String(repeating: "a", count: 999)).text
        #expect(long.count == SavedFilmArrangement.textLimit)
    }
}

import MovieDomain
import MovieTesting
import Testing

struct AddFavouriteTests {
    private let owner = Owner.device(id: "a")
    private let movies = ScriptedMovies(source: .tmdb)
    private let favourites = MemoryFavourites()
    private let id = MovieID("tmdb:603")!

    private func keep(limit: Int = 1000) -> AddFavourite {
        AddFavourite(sources: MovieRepositories([self.movies]), favourites: self.favourites, limit: limit) {
            Instant(secondsSince1970: 1000)
        }
    }

    private func add(_ id: String, title: String) throws {
        let id = try #require(MovieID(id))
        let summary = try #require(MovieSummary(id: id, title: title))
        self.movies.add(Movie(summary: summary))
    }

    @Test func aFavouriteStaysWhenItsSourceDies() async throws {
        let (keep, language) = (self.keep(), LanguagePreference())
        try self.add("tmdb:603", title: "The Matrix")
        #expect(try await keep(self.id, of: self.owner, language: language).isNew == true)
        self.movies.fail(with: .unavailable(.tmdb, reason: "gone"))
        let again = try await keep(self.id, of: self.owner, language: language)
        #expect(!again.isNew && again.favourite.movie.title == "The Matrix")
        await #expect(throws: SourceFailure.unavailable(.tmdb, reason: "gone")) {
            try await keep(try #require(MovieID("tmdb:604")), of: self.owner, language: language)
        }
        let page = try await self.favourites.favourites(of: self.owner, page: 1, size: Favourite.pageSize)
        #expect(page.results.map(\.movie.title) == ["The Matrix"])
    }

    @Test func whatItLooksLikeIsRenewed() async throws {
        let keep = self.keep()
        for title in ["The Matrix", "매트릭스"] {
            try self.add("tmdb:603", title: title)
            _ = try await keep(self.id, of: self.owner, language: LanguagePreference())
        }
        let kept = try await self.favourites.favourite(self.id, of: self.owner)
        #expect(kept?.movie.title == "매트릭스")
    }

    @Test(arguments: [(Int64(400), Int64(400)), (1000, 1000), (9000, 1000)])
    func aFilmThatIsPutBackKeepsItsTimeButNeverALaterOne(seconds: Int64, expected: Int64) async throws {
        try self.add("tmdb:603", title: "The Matrix")
        let time = Instant(secondsSince1970: seconds)
        let added = try await self.keep()(self.id, of: self.owner, language: LanguagePreference(), addedAt: time)
        #expect(added.isNew && added.favourite.addedAt.secondsSince1970 == expected)
        let again = try await self.keep()(
            self.id, of: self.owner, language: LanguagePreference(), addedAt: Instant(secondsSince1970: 1))
        #expect(again.favourite.addedAt.secondsSince1970 == expected, "it is on the list")
    }

    @Test func thereIsALimit() async throws {
        let (keep, language) = (self.keep(limit: 1), LanguagePreference())
        try self.add("tmdb:603", title: "The Matrix")
        try self.add("tmdb:604", title: "The Matrix Reloaded")
        _ = try await keep(self.id, of: self.owner, language: language)
        await #expect(throws: AddFavourite.Failure.tooMany(limit: 1)) {
            try await keep(try #require(MovieID("tmdb:604")), of: self.owner, language: language)
        }
        #expect(try await keep(self.id, of: self.owner, language: language).isNew == false)
        await #expect(throws: AddFavourite.Failure.unknownMovie(MovieID("tmdb:1")!)) {
            try await keep(try #require(MovieID("tmdb:1")), of: self.owner, language: language)
        }
    }
}

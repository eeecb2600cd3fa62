import MovieDomain
import Testing

struct MovieTests {
    private static func movie(poster: PosterReference?) throws -> Movie {
        try #require(
            Movie(
                id: Movie.ID(rawValue: "heat")!, title: LocalisedTitle(["en": "Heat"])!, originalTitle: "Heat",
                originalLanguage: "en", year: 1995, releaseDate: nil, runtimeMinutes: 170, genres: [], directors: [],
                cast: [], countries: [], overview: "", poster: poster))
    }

    private struct Movies: MovieRepository {
        let all: [Movie]
        func movie(_ id: Movie.ID) async throws -> Movie? { self.all.first { $0.id == id } }
        func movies(limit: Int) async throws -> [Movie] { Array(self.all.prefix(limit)) }
    }

    @Test func anInvalidFilmCannotBeMade() {
        #expect(Movie.ID(rawValue: "") == nil)
        #expect(LocalisedTitle([:]) == nil)
        #expect(LocalisedTitle(["en": ""]) == nil)
        #expect(PosterReference(location: "", version: "1", width: 2, height: 3) == nil)
        #expect(PosterReference(location: "a", version: "1", width: 0, height: 3) == nil)
    }

    @Test func aTitleFallsBackToEnglishAndThenToAny() {
        let title = LocalisedTitle(["en": "The Housemaid", "ko": "하녀"])!
        #expect(title.text(in: "ko") == "하녀")
        #expect(title.text(in: "fr") == "The Housemaid")
        #expect(LocalisedTitle(["ja": "東京物語"])!.text(in: "ko") == "東京物語")
    }

    @Test func aPosterIsLocatedOrItIsSaidWhyNot() async throws {
        let poster = PosterReference(location: "heat.jpg", version: "1", width: 2, height: 3)
        let id = Movie.ID(rawValue: "heat")!
        let found = LocatePoster(movies: Movies(all: [try Self.movie(poster: poster)]))
        #expect(try await found(id) == poster)
        await #expect(throws: LocatePoster<Movies>.Failure.unknownMovie(Movie.ID(rawValue: "cold")!)) {
            try await found(Movie.ID(rawValue: "cold")!)
        }
        let bare = LocatePoster(movies: Movies(all: [try Self.movie(poster: nil)]))
        await #expect(throws: LocatePoster<Movies>.Failure.noPoster(id)) { try await bare(id) }
    }
}

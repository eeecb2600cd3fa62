import Flights
import MovieDomain
import PosterTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LocaliseFavouritesTests {
    private let english = LanguagePreference([.english])

    private func favourite(_ key: String, in language: Language?) throws -> Favourite {
        let id = try #require(MovieID(key))
        let drama = Genre(id: .drama, name: "드라마")
        let movie = try #require(MovieSummary(id: id, title: "제목 \(key)", genres: [drama]))
        return Favourite(movie: movie, addedAt: Instant(secondsSince1970: 1), language: language)
    }

    private func movie(_ key: String, title: String) throws -> Movie {
        let id = try #require(MovieID(key))
        return Movie(summary: try #require(MovieSummary(id: id, title: title)))
    }

    @Test func thoseOfAnotherLanguageAreRequestedAsSupplements() async throws {
        let isSupplement = Mutex<[Bool]>([])
        let movies = ScriptedMovies(willAnswer: { isSupplement.withLock { $0.append(Supplement.isCurrent) } })
        for key in ["a", "b", "c"] { movies.add(try self.movie(key, title: "Title \(key)"), in: .english) }
        let localise = LocaliseFavourites(sources: MovieRepositories([movies]))
        let stored = [
            try self.favourite("a", in: .korean), try self.favourite("b", in: .english),
            try self.favourite("c", in: nil),
        ]
        let shown = try await localise(stored, language: self.english)
        #expect(shown.map(\.movie.title) == ["Title a", "제목 b", "Title c"], "in the order of the page")
        #expect(shown.map(\.language) == [.english, .english, .english])
        #expect(shown.map(\.addedAt) == stored.map(\.addedAt))
        #expect(isSupplement.withLock { $0 } == [true, true])
    }

    @Test func withoutTheSourceTheyAreAsStoredButForGenres() async throws {
        let movies = ScriptedMovies()
        let localise = LocaliseFavourites(
            sources: MovieRepositories([movies], off: [.tmdb: "--tmdb-key"]))
        movies.fail(with: .tooSlow(.embedded))
        let stored = [try self.favourite("a", in: .korean), try self.favourite("tmdb:603", in: .korean)]
        for failure in [SourceFailure.tooSlow(.embedded), nil] {
            movies.fail(with: failure)
            let shown = try await localise(stored, language: self.english)
            #expect(shown.map(\.movie.title) == stored.map(\.movie.title))
            #expect(shown.map(\.language) == [.korean, .korean])
            #expect(shown.map { $0.movie.genres.map(\.name) } == [["Drama"], ["Drama"]])
        }
        let language = try #require(Language("fr"))
        let french = try await localise(stored, language: LanguagePreference([language]))
        #expect(french == stored, "a name that the service does not have stays")
    }

    /// Counts the calls that wait until it is opened.
    private final class HeldMovies: MovieRepository {
        let source = MovieSource.embedded
        let waiting = AwaitedState((now: 0, most: 0, isOpen: false))

        func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
            self.waiting.change { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            try await self.waiting.wait { $0.isOpen }
            self.waiting.change { $0.now -= 1 }
            return nil
        }
    }

    @Test func atMostEightAreRequestedAtOnce() async throws {
        let movies = HeldMovies()
        let localise = LocaliseFavourites(sources: MovieRepositories([movies]))
        let stored = try (1...20).map { try self.favourite("film-\($0)", in: .korean) }
        async let shown = localise(stored, language: self.english)
        try await movies.waiting.wait { $0.now == LocaliseFavourites.atOnce }
        movies.waiting.change { $0.isOpen = true }
        #expect(try await shown.count == 20)
        #expect(movies.waiting.value.most == LocaliseFavourites.atOnce)
    }

    @Test func aCallThatIsCancelledEnds() async throws {
        let movies = HeldMovies()
        let localise = LocaliseFavourites(sources: MovieRepositories([movies]))
        let stored = try (1...20).map { try self.favourite("film-\($0)", in: .korean) }
        let call = Task { try await localise(stored, language: self.english) }
        try await movies.waiting.wait { $0.now == LocaliseFavourites.atOnce }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}

import MovieDomain
import MovieTesting
import PosterTesting
import Synchronization
import Testing

@Suite(.timeLimit(.hang))
struct CompleteNamesTests {
    private let language = LanguagePreference([.korean])

    private func film(_ key: String, directors: [String] = [], cast: [String] = []) throws -> MovieSummary {
        let id = try #require(MovieID(key))
        return try #require(MovieSummary(id: id, title: key, directors: directors, cast: cast))
    }

    @Test func onlyFilmsWithoutAnyAreCompletedAsSupplements() async throws {
        let isSupplement = Mutex<[Bool]>([])
        let movies = ScriptedMovies(willAnswer: { isSupplement.withLock { $0.append(Supplement.isCurrent) } })
        let credits = Credits(
            cast: (1...6).map { Credits.CastMember(name: "Actor \($0)", role: "") },
            crew: [Credits.CrewMember(name: "Editor", sourceJob: "Editor"), .director("Director")])
        for key in ["a", "b", "c"] { movies.add(Movie(summary: try self.film(key), credits: credits)) }
        let films = [try self.film("a"), try self.film("b", directors: ["Known"]), try self.film("c", cast: ["Known"])]
        let completed = try await CompleteNames(sources: MovieRepositories([movies]))(films, language: self.language)
        #expect(completed.map(\.directors) == [["Director"], ["Known"], []])
        #expect(completed.map(\.cast) == [(1...5).map { "Actor \($0)" }, [], ["Known"]])
        #expect(completed.map(\.id) == films.map(\.id))
        #expect(isSupplement.withLock { $0 } == [true])
    }

    @Test func filmsThatASourceDoesNotDescribeStayAsTheyAre() async throws {
        let movies = ScriptedMovies()
        let films = [try self.film("a"), try self.film("tmdb:603")]
        let complete = CompleteNames(sources: MovieRepositories([movies], off: [.tmdb: "--tmdb-key"]))
        #expect(try await complete(films, language: self.language) == films, "there are none of these ids")
        movies.fail(with: .tooSlow(.embedded))
        #expect(try await complete(films, language: self.language) == films)
    }

    /// Counts concurrent calls, which wait until it is opened.
    private final class HeldMovies: MovieRepository {
        let source = MovieSource.embedded
        let waiting = AwaitedState((now: 0, most: 0, isOpen: false))

        func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? { nil }

        func names(of id: MovieID, language: LanguagePreference) async throws -> FilmNames? {
            self.waiting.change { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            try await self.waiting.wait { $0.isOpen }
            self.waiting.change { $0.now -= 1 }
            return FilmNames(directors: [id.key], cast: [])
        }
    }

    @Test func atMostEightAreRequestedAtOnce() async throws {
        let movies = HeldMovies()
        let films = try (1...20).map { try self.film("film-\($0)") }
        async let completed = CompleteNames(sources: MovieRepositories([movies]))(films, language: self.language)
        try await movies.waiting.wait { $0.now == CompleteNames.atOnce }
        movies.waiting.change { $0.isOpen = true }
        #expect(try await completed.map(\.directors) == films.map { [$0.id.key] }, "in the order of the page")
        #expect(movies.waiting.value.most == CompleteNames.atOnce)
    }

    @Test func aCallThatIsCancelledEnds() async throws {
        let movies = HeldMovies()
        let films = try (1...20).map { try self.film("film-\($0)") }
        let complete = CompleteNames(sources: MovieRepositories([movies]))
        let call = Task { try await complete(films, language: self.language) }
        try await movies.waiting.wait { $0.now == CompleteNames.atOnce }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}

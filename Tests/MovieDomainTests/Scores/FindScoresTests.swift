import Flights
import MovieDomain
import MovieTesting
import PosterTesting
import Synchronization
import Testing

@Suite(.timeLimit(.hang))
struct FindScoresTests {
    private let movies = ScriptedMovies(source: .tmdb)

    private func film(released: CalendarDate? = nil, year: Int? = nil, imdbID: String? = "tt1") throws -> MovieID {
        let id = try #require(MovieID("tmdb:603"))
        let summary = MovieSummary(
            id: id, title: "A film", releaseDate: released, year: year, score: AudienceScore(average: 8.2, count: 9))
        self.movies.add(Movie(summary: try #require(summary), imdbID: imdbID))
        return id
    }

    private static func supplement(_ scores: [(String, String)]) -> MovieSupplement {
        MovieSupplement(
            scores: scores.map { ExternalScore(name: $0, value: $1) }, certificate: nil, plot: "", actors: [],
            runtimeMinutes: nil, information: [])
    }

    @Test func scoresOfAllSourcesAreCollectedTheFirstOneOfASiteCounts() async throws {
        let id = try self.film()
        let find = FindScores(
            sources: MovieRepositories([self.movies]),
            supplements: [
                ScriptedSupplements(["tt1": .success(Self.supplement([("X", "1/10"), ("Y", "2/10")]))]),
                ScriptedSupplements(source: .kmdb, ["tt1": .success(Self.supplement([("Y", "3/10"), ("Z", "4/10")]))]),
            ])
        let partial = Mutex<[FilmScores]>([])
        let found = try await find(id, includesOthers: true) { known in partial.withLock { $0.append(known) } }
        let scores = try #require(found)
        #expect(scores.audience[.tmdb]?.average == 8.2 && scores.missing.isEmpty)
        #expect(scores.others.map(\.value) == ["1/10", "2/10", "4/10"])
        #expect(partial.withLock { $0.map(\.others.count) } == [0, 2])
    }

    @Test func otherSitesDoNotWaitForTheFilmsSourceIfItsIMDbTitleIsKnown() async throws {
        let id = try self.film()
        self.movies.fail(with: .tooSlow(.tmdb))
        let find = FindScores(
            sources: MovieRepositories([self.movies]),
            supplements: [ScriptedSupplements(["tt1": .success(Self.supplement([("X", "1/10")]))])])
        let found = try #require(try await find(id, imdbID: "tt1", includesOthers: true))
        #expect(found.others.map(\.value) == ["1/10"] && found.missing == [.tooSlow(.tmdb)])
        await #expect(throws: SourceFailure.tooSlow(.tmdb)) { try await find(id, imdbID: "tt1", includesOthers: false) }
        await #expect(throws: SourceFailure.tooSlow(.tmdb)) { try await find(id, imdbID: "tt2", includesOthers: true) }
    }

    @Test func aFilmThatItsSourceDoesNotHaveHasNoScoresOfOthers() async throws {
        let id = try #require(MovieID("tmdb:604"))
        let find = FindScores(
            sources: MovieRepositories([self.movies]),
            supplements: [ScriptedSupplements(["tt1": .success(Self.supplement([("X", "1/10")]))])])
        #expect(try await find(id, imdbID: "tt1", includesOthers: true) == nil)
    }

    @Test func scoresOfASourceAreKnownWhileAnotherOneIsAwaited() async throws {
        let id = try self.film()
        let gate = Gate()
        let late = ScriptedSupplements(["tt1": .success(Self.supplement([("Y", "2/10")]))], gate: gate)
        let find = FindScores(
            sources: MovieRepositories([self.movies]),
            supplements: [
                late, ScriptedSupplements(source: .kmdb, ["tt1": .success(Self.supplement([("X", "1/10")]))]),
            ])
        let found = try await find(id, includesOthers: true) { known in
            if !known.others.isEmpty { gate.open() }
        }
        #expect(found?.others.map(\.value) == ["2/10", "1/10"])
    }

    @Test func otherSitesAreAskedOnlyIfTheyAreWantedAndTheFilmIsThere() async throws {
        let find = FindScores(
            sources: MovieRepositories([self.movies]),
            supplements: [ScriptedSupplements(["tt1": .failure(.tooSlow(.omdb))])])
        let id = try self.film()
        #expect(try await find(id, includesOthers: false)?.missing == [])
        #expect(try await find(id, includesOthers: true)?.missing == [.tooSlow(.omdb)])
        #expect(try await find(try #require(MovieID("tmdb:604")), includesOthers: true) == nil)
        _ = try self.film(imdbID: nil)
        #expect(try await find(id, includesOthers: true)?.missing == [])
    }

    @Test func aFilmsOwnSourceMustAnswer() async throws {
        let id = try self.film()
        self.movies.fail(with: .tooSlow(.tmdb))
        let find = FindScores(sources: MovieRepositories([self.movies]))
        await #expect(throws: SourceFailure.tooSlow(.tmdb)) { try await find(id, includesOthers: false) }
    }

    @Test(
        "scores of old films stay current for longer",
        arguments: [
            ("2026-11-20", 1), ("2027-01-01", 1), ("2026-10-02", 1), ("2026-10-01", 7), ("2025-12-01", 7),
            ("2025-11-30", 30), ("2016-12-01", 30), ("2016-11-28", 365), (nil, 7),
        ] as [(String?, Int64)])
    func lifetimes(released: String?, days: Int64) async throws {
        let today = try #require(CalendarDate("2026-11-30"))
        let id = try self.film(released: released.flatMap { CalendarDate($0) })
        let scores = try await FindScores(sources: MovieRepositories([self.movies]))(id, includesOthers: false)
        let now = Instant(secondsSince1970: Int64(today.dayNumber) * 86_400 + 3600)
        #expect(scores?.lifetime(at: now) == days * 86_400)
    }

    @Test func aYearCountsFromItsEnd() async throws {
        let id = try self.film(year: 2025)
        let scores = try await FindScores(sources: MovieRepositories([self.movies]))(id, includesOthers: false)
        let today = try #require(CalendarDate("2026-11-30"))
        let week: Int64 = 7 * 86_400
        #expect(scores?.lifetime(at: Instant(secondsSince1970: Int64(today.dayNumber) * 86_400)) == week)
    }
}

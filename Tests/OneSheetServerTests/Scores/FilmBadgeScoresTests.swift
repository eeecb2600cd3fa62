import Flights
import MovieDomain
import MovieTesting
import PosterPipeline
import PosterTesting
import Synchronization
import Testing

@testable import OneSheetServer
@testable import PosterAPI

/// Scores of films, from their cache to their sources.
@Suite(.timeLimit(.hang))
struct FilmBadgeScoresTests {
    private static let imdb = "Internet Movie Database"
    private let questions = Counter()
    private let movies: ScriptedMovies
    private let others: GatedSupplements
    private let clock = ManualClock()
    private let id: PosterID

    init() throws {
        let questions = self.questions
        self.movies = ScriptedMovies(source: .tmdb) { questions.increment() }
        self.others = GatedSupplements()
        self.id = try PosterID("tmdb:603")
        let film = try #require(MovieID("tmdb:603"))
        self.movies.add(try Self.movie(film, average: 8.2))
    }

    private static func movie(_ id: MovieID, average: Double) throws -> Movie {
        let summary = MovieSummary(
            id: id, title: "A film", releaseDate: CalendarDate("1970-01-01"),
            score: AudienceScore(average: average, count: 10))
        return Movie(summary: try #require(summary), imdbID: "tt0133093")
    }

    /// Supplements behind a gate, which is open at first.
    private final class GatedSupplements: SupplementRepository {
        let source = MovieSource.omdb
        let questions = Counter()
        private let state = Mutex<(gate: Gate?, answer: Result<String, SourceFailure>)>((nil, .success("8.7/10")))

        func set(gate: Gate?) { self.state.withLock { $0.gate = gate } }
        func set(_ answer: Result<String, SourceFailure>) { self.state.withLock { $0.answer = answer } }

        func supplement(imdbID: String) async throws -> MovieSupplement? {
            self.questions.increment()
            try await self.state.withLock { $0.gate }?.wait()
            let value = try self.state.withLock { $0.answer }.get()
            return MovieSupplement(
                scores: [ExternalScore(name: FilmBadgeScoresTests.imdb, value: value)], certificate: nil, plot: "",
                actors: [], runtimeMinutes: nil, information: [])
        }
    }

    /// - Parameter sleep: Ends when the wait for scores times out; never by default.
    private func scores(
        timeout: Duration = .seconds(1),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Gate().wait() }
    ) -> FilmBadgeScores {
        let clock = self.clock
        return FilmBadgeScores(
            FindScores(sources: MovieRepositories([self.movies]), supplements: [self.others]),
            titles: RequestedTitles(), timeout: timeout,
            sleep: sleep, now: { Instant(secondsSince1970: Int64(clock.now() / 1_000_000_000)) })
    }

    private static func texts(_ scores: BadgeScores?) -> [String: Int] {
        let values = (scores?.values ?? [:]).map { ($0.key.rawValue, $0.value.percentage) }
        return Dictionary(uniqueKeysWithValues: values)
    }

    @Test func scoresAreFoundOnceAndThenInMemory() async throws {
        let scores = self.scores()
        #expect(scores.knownScores(of: self.id, from: [.tmdb, .imdb]) == nil)
        let found = try await scores.scores(of: self.id, from: [.tmdb, .imdb])
        #expect(Self.texts(found) == ["tmdb": 82, "imdb": 87] && found.isCurrent)
        #expect(scores.knownScores(of: self.id, from: [.imdb]) == found)
        #expect(self.questions.value == 1 && self.others.questions.value == 1)
        let other = try PosterID("tmdb:603~ja")
        #expect(scores.knownScores(of: other, from: [.imdb]) == found, "all pictures of a film have its scores")
    }

    @Test func otherSourcesAreNotAskedForTheFilmsOwnScore() async throws {
        let found = try await self.scores().scores(of: self.id, from: [.tmdb])
        #expect(Self.texts(found) == ["tmdb": 82] && found.isCurrent && self.others.questions.value == 0)
    }

    @Test func concurrentRequestsAskOnce() async throws {
        let scores = self.scores()
        let gate = Gate()
        self.others.set(gate: gate)
        let id = self.id
        let requests = (0..<48).map { _ in Task { try await scores.scores(of: id, from: [.imdb]) } }
        // One more waits without a client.
        try await eventually { scores.waiterCount == 49 }
        gate.open()
        for request in requests { #expect(try await request.value.isCurrent) }
        #expect(self.questions.value == 1 && self.others.questions.value == 1)
    }

    @Test func aLateSourceIsLeftOutAndItsScoresAreThereForTheNextRequest() async throws {
        let gate = Gate()
        self.others.set(gate: gate)
        let asked = self.others.questions
        let scores = self.scores { _ in try await asked.reached(1) }
        let late = try await scores.scores(of: self.id, from: [.tmdb, .imdb])
        #expect(Self.texts(late) == ["tmdb": 82] && !late.isCurrent)
        gate.open()
        let id = self.id
        try await eventually { scores.knownScores(of: id, from: [.imdb])?.isCurrent == true }
        #expect(Self.texts(scores.knownScores(of: id, from: [.imdb])) == ["tmdb": 82, "imdb": 87])
        #expect(self.others.questions.value == 1)
    }

    @Test func manyFilmsAreLookedUpOnceEachThoughTheirClientsLeave() async throws {
        let gate = Gate()
        self.others.set(gate: gate)
        let asked = self.others.questions
        let limit = FilmBadgeScores.lookUpLimit
        let ids = try (1...limit + 20).map { try PosterID("tmdb:\(1000 + $0)") }
        for id in ids { self.movies.add(try Self.movie(try #require(MovieID(id.description)), average: 8.2)) }
        let waits = Counter()
        let scores = self.scores { _ in
            waits.increment()
            // Requests for other films have a timeout, the last request has none.
            if waits.value > ids.count { try await Gate().wait() }
            try await asked.reached(limit)
        }
        let requests = ids.map { id in Task { try await scores.scores(of: id, from: [.imdb]) } }
        for request in requests { #expect(try await !request.value.isCurrent) }
        #expect(asked.value == limit, "some at a time")
        let own = try await scores.scores(of: self.id, from: [.tmdb])
        #expect(Self.texts(own) == ["tmdb": 82], "a film's own score needs no other site")
        gate.open()
        try await eventually { ids.allSatisfy { scores.knownScores(of: $0, from: [.imdb])?.isCurrent == true } }
        #expect(self.questions.value == ids.count + 1 && asked.value == ids.count)
    }

    @Test func theVersionChangesWithScoresAndWithTheSecond() async throws {
        let scores = self.scores()
        let first = scores.version
        #expect(scores.version == first)
        _ = try await scores.scores(of: self.id, from: [.imdb])
        let second = scores.version
        #expect(second != first)
        _ = try await scores.scores(of: self.id, from: [.imdb])
        #expect(scores.version == second)
        self.clock.advance(by: .seconds(1))
        #expect(scores.version != second && scores.version != first)
    }

    @Test func withoutATimeoutNoRequestWaits() async throws {
        let scores = self.scores(timeout: .zero)
        let id = self.id
        _ = try await scores.scores(of: id, from: [.imdb])
        try await eventually { scores.knownScores(of: id, from: [.imdb])?.isCurrent == true }
    }

    @Test func staleScoresAreReturnedAtOnceAndRenewed() async throws {
        let scores = self.scores()
        let id = self.id
        _ = try await scores.scores(of: id, from: [.imdb])
        self.others.set(.success("8.8/10"))
        self.clock.advance(by: .seconds(86_400))
        let stale = try #require(scores.knownScores(of: id, from: [.imdb]))
        #expect(Self.texts(stale)["imdb"] == 87 && !stale.isCurrent)
        try await eventually { scores.knownScores(of: id, from: [.imdb])?.isCurrent == true }
        #expect(Self.texts(scores.knownScores(of: id, from: [.imdb]))["imdb"] == 88)
    }

    @Test func scoresStayWhileTheirSourceIsAway() async throws {
        let scores = self.scores()
        let id = self.id
        _ = try await scores.scores(of: id, from: [.imdb])
        self.others.set(.failure(.busy(.omdb, retryAfterSeconds: 600)))
        self.clock.advance(by: .seconds(86_400))
        _ = scores.knownScores(of: id, from: [.imdb])
        try await self.others.questions.reached(2)
        try await eventually { scores.waiterCount == 0 }
        self.clock.advance(by: .seconds(599))
        let kept = try #require(scores.knownScores(of: id, from: [.imdb]))
        #expect(Self.texts(kept) == ["tmdb": 82, "imdb": 87] && !kept.isCurrent)
        #expect(self.others.questions.value == 2, "the source asked for a pause")
        self.others.set(.success("9.0/10"))
        self.clock.advance(by: .seconds(1))
        try await eventually { scores.knownScores(of: id, from: [.imdb])?.isCurrent == true }
        #expect(Self.texts(scores.knownScores(of: id, from: [.imdb]))["imdb"] == 90)
    }

    @Test func aFailureOfTheFilmsSourceIsRetriedAfterAMinute() async throws {
        self.movies.fail(with: .tooSlow(.tmdb))
        let scores = self.scores()
        let id = self.id
        let none = try await scores.scores(of: id, from: [.tmdb])
        #expect(none.values.isEmpty && !none.isCurrent)
        self.movies.fail(with: nil)
        self.clock.advance(by: .seconds(59))
        #expect(try await scores.scores(of: id, from: [.tmdb]) == none && self.questions.value == 1)
        self.clock.advance(by: .seconds(1))
        try await eventually { scores.knownScores(of: id, from: [.tmdb])?.isCurrent == true }
    }

    @Test func aFilmWithoutScoresIsNotLookedUpForAnHour() async throws {
        let scores = self.scores()
        let id = try PosterID("tmdb:604")
        #expect(try await scores.scores(of: id, from: [.imdb]) == BadgeScores([:], isCurrent: true))
        self.clock.advance(by: .seconds(3599))
        #expect(scores.knownScores(of: id, from: [.imdb])?.isCurrent == true && self.questions.value == 1)
        self.clock.advance(by: .seconds(1))
        _ = scores.knownScores(of: id, from: [.imdb])
        try await self.questions.reached(2)
    }

    @Test func onlyFilmsHaveScores() throws {
        let scores = self.scores()
        for (id, isOfFilm) in [
            ("tmdb:603", true), ("nosferatu-1922~2", true), ("mine:603", false), ("youtube:BdJKm16Co6M", false),
        ] {
            #expect(try scores.isOfFilm(PosterID(id)) == isOfFilm)
        }
    }

    @Test func scoresOfOtherSitesAreReadByTheirNames() throws {
        let film = try #require(MovieID("omdb:tt0133093"))
        var movie = try Self.movie(film, average: 8.7)
        movie.otherScores = [
            ("Rotten Tomatoes", "83%"), ("Metacritic", "73/100"), ("Somewhere", "1/10"), ("Trakt", "good"),
        ].map { ExternalScore(name: $0, value: $1) }
        let values = BadgeSource.scores(FilmScores(movie)).map { ($0.key, $0.value.percentage) }
        #expect(Dictionary(uniqueKeysWithValues: values) == [.imdb: 87, .rt: 83, .metacritic: 73])
    }
}

import Flights
import HTTPSemantics
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieSources
@testable import UpstreamClient

/// Scores of OMDb and MDBList for one film.
@Suite(.timeLimit(.hang))
struct SourcesOfScoresTests {
    private static let path = "/imdb/movie/tt0000001"
    private static let ofOMDb = """
        {"Title":"A film","imdbID":"tt0000001","Type":"movie","Response":"True",\
        "Ratings":[{"Source":"Internet Movie Database","Value":"8.7/10"},{"Source":"Rotten Tomatoes","Value":"88%"}]}
        """
    private static let ofMDBList = """
        {"ids":{"imdb":"tt0000001"},"ratings":[{"source":"letterboxd","value":4.2},{"source":"imdb","value":8.6},\
        {"source":"metacritic","value":73}]}
        """

    private func movies() throws -> (ScriptedMovies, MovieID) {
        let id = try #require(MovieID("film-1"))
        let movies = ScriptedMovies()
        movies.add(Movie(summary: try #require(MovieSummary(id: id, title: "A film")), imdbID: "tt0000001"))
        return (movies, id)
    }

    private func show(
        _ omdb: UpstreamClient, _ mdblist: UpstreamClient
    ) throws -> @Sendable () async throws -> MovieDetails {
        let (movies, id) = try self.movies()
        let show = ShowMovie(
            sources: MovieRepositories([movies]),
            supplements: [OMDbSupplements(omdb), MDBListSupplements(mdblist)])
        return { try await show(id, language: .english) }
    }

    @Test func mdblistAddsWhatOMDbDoesNotHave() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/", .json(Self.ofOMDb))
            fixture.upstream.on("GET", Self.path, .json(Self.ofMDBList))
            let details = try await self.show(fixture.omdb, fixture.mdblist())()
            #expect(
                details.movie.otherScores == [
                    ExternalScore(name: "Internet Movie Database", value: "8.7/10"),
                    ExternalScore(name: "Rotten Tomatoes", value: "88%"),
                    ExternalScore(name: "Metacritic", value: "73/100"),
                    ExternalScore(name: "Letterboxd", value: "4.2/5"),
                ])
            #expect(details.sources == [.embedded, .omdb, .mdblist] && details.missing.isEmpty)
        }
    }

    @Test(arguments: [401, 429, 500])
    func aFailureOfMDBListLeavesOMDbsScores(status: Int) async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/", .json(Self.ofOMDb))
            fixture.upstream.on("GET", Self.path, .html(status: status))
            let details = try await self.show(fixture.omdb, fixture.mdblist())()
            #expect(details.movie.otherScores.map(\.value) == ["8.7/10", "88%"])
            #expect(details.sources == [.embedded, .omdb] && details.missing.map(\.source) == [.mdblist])
        }
    }

    @Test func bothAreAskedAtOnceAndShareTheTimeOfSupplements() async throws {
        let (responses, deadline) = (Gate(), Gate())
        let waits = AwaitedState<[Duration]>([])
        try await withUpstream { upstream in
            upstream.on("GET", "/", .held(responses, .json(Self.ofOMDb)))
            upstream.on("GET", Self.path, .held(responses, .json(Self.ofMDBList)))
            let fixture = try AdapterFixture(upstream) { duration in
                waits.change { $0.append(duration) }
                try await deadline.wait()
            }
            let (omdb, mdblist) = (fixture.omdb, fixture.mdblist())
            let show = try self.show(omdb, mdblist)
            let start = ContinuousClock.now
            let recorder = FreshnessRecorder(now: { start })
            async let response = FreshnessRecorder.$current.withValue(recorder) { try await show() }
            // Neither waits for the other's response.
            try await upstream.requestsArrived(at: "/")
            try await upstream.requestsArrived(at: Self.path)
            try await eventually { waits.value.count == 2 }
            deadline.open()
            let details = try await response
            #expect(details.missing == [.tooSlow(.omdb), .tooSlow(.mdblist)] && details.movie.otherScores.isEmpty)
            #expect(waits.value == [.seconds(1), .seconds(1)] && recorder.hasGaps)
            responses.open()
            for client in [omdb, mdblist] { try await eventually { client.lateSupplements.count == 0 } }
            let next = try await show()
            #expect(next.movie.otherScores.count == 4 && next.missing.isEmpty, "late scores are in the next response")
            #expect(upstream.requests.count == 2)
        }
    }

    @Test func concurrentCallersShareOneRequest() async throws {
        let gate = Gate()
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, .held(gate, .json(Self.ofMDBList)))
            let client = fixture.mdblist()
            let supplements = MDBListSupplements(client)
            async let first = supplements.supplement(imdbID: "tt0000001")
            async let second = supplements.supplement(imdbID: "tt0000001")
            try await fixture.upstream.requestsArrived(at: Self.path)
            try await eventually { client.flights.waiterCount == 2 }
            gate.open()
            let answers = try await [first, second]
            #expect(answers[0]?.scores.count == 3 && answers[0] == answers[1])
            #expect(fixture.upstream.requests.count == 1)
        }
    }
}

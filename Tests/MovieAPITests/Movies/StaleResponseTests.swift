import HTTPSemantics
import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer
@testable import MovieAPI
@testable import MovieHTTP
@testable import PosterAPI

/// Responses composed of upstream responses that are stale or partly missing, over real sockets.
@Suite(.timeLimit(.hang))
struct StaleResponseTests {
    private static let status = "OneSheet; hit; ttl=-63; detail=stale-while-revalidate"
    private static let resources = [
        "/movies/home", "/movies/lists/popular", "/movies/search?query=a", "/genres", "/movies/film-1",
        "/movies/film-1/credits", "/movies/film-1/reviews", "/movies/film-1/similar", "/v1/search/movie.json?query=a",
    ]

    /// Sources that run `record` for every response.
    private static func fixture(_ record: @escaping @Sendable (FreshnessRecorder) -> Void) throws -> FilmFixture {
        let willAnswer: @Sendable () -> Void = { FreshnessRecorder.current.map(record) }
        let fixture = FilmFixture(
            catalogue: ScriptedCatalogue(willAnswer: willAnswer), movies: ScriptedMovies(willAnswer: willAnswer))
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-1")))
        return fixture
    }

    private static let isStale: @Sendable (FreshnessRecorder) -> Void = {
        $0.record(Staleness(seconds: 63, reason: .revalidating), age: 1863)
    }

    @Test("a stale response says so, and caches store it briefly", arguments: Self.resources)
    func stale(target: String) async throws {
        try await Self.fixture(Self.isStale).serve { server in
            let response = try await server.get(target)
            #expect(response.status == 200, "\(response.text)")
            #expect(response.headers["age"] == "1863")
            #expect(response.headers["cache-status"] == Self.status)
            #expect(response.headers["cache-control"] == "public, max-age=10")
            guard let tag = response.headers["etag"] else { return }
            let again = try await server.get(target, headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            #expect(again.headers["age"] == "1863")
        }
    }

    @Test("a response with gaps is stored nowhere", arguments: Self.resources)
    func gaps(target: String) async throws {
        try await Self.fixture({ $0.recordGap() }).serve { server in
            let response = try await server.get(target)
            #expect(response.status == 200)
            #expect(response.headers["cache-control"] == "no-store")
        }
    }

    @Test("a fresh response has no marks", arguments: Self.resources)
    func fresh(target: String) async throws {
        try await Self.fixture({ _ in }).serve { server in
            let response = try await server.get(target)
            #expect(response.headers["age"] == nil)
            #expect(response.headers["cache-status"] == nil)
            #expect(response.headers["cache-control"]?.hasPrefix("public, max-age=") == true)
            #expect(response.headers["cache-control"] != "public, max-age=10")
        }
    }

    @Test func aStaleResponseIsReusedAndOneWithGapsIsNot() async throws {
        try await Self.expectRequests(1, ofTwoClientsOf: try Self.fixture(Self.isStale))
        try await Self.expectRequests(2, ofTwoClientsOf: try Self.fixture { $0.recordGap() })
    }

    private static func expectRequests(
        _ count: Int, ofTwoClientsOf fixture: FilmFixture, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var settings = LiveServer.Settings()
        var services = fixture.services
        services.sharedResponseLifetime = .seconds(3600)
        settings.films = services
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in
                for _ in 0..<2 { _ = try await server.get("/movies/lists/popular") }
            }
        }
        #expect(fixture.catalogue.asked.count == count, sourceLocation: sourceLocation)
    }
}

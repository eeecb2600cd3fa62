import HTTPSemantics
import HTTPServer
import HTTPTesting
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

/// Problems caused by sources, over real sockets.
@Suite(.timeLimit(.hang))
struct FilmProblemTests {
    @Test(
        "every failure of a source has its status",
        arguments: [
            (SourceFailure.off(.tmdb, option: "--tmdb-key"), 503, "source-off", nil),
            (.keyRefused(.tmdb), 502, "source-unavailable", nil),
            (.busy(.tmdb, retryAfterSeconds: 11), 503, "source-busy", "11"),
            (.tooSlow(.tmdb), 504, "source-too-slow", nil),
            (.unavailable(.tmdb, reason: "secret cause"), 502, "source-unavailable", nil),
            (.badAnswer(.tmdb, reason: "its body is in a coding that is not decoded"), 502, "source-unavailable", nil),
        ] as [(SourceFailure, Int, String, String?)])
    func failures(failure: SourceFailure, status: Int, kind: String, retryAfter: String?) async throws {
        let fixture = FilmFixture()
        fixture.movies.fail(with: failure)
        fixture.boxOffice.fail(with: failure)
        for question: ScriptedCatalogue.Question in [
            .genres, .list(.popular), .search(MovieQuery("a")!), .discover(FilmFilter()), .trending(.day),
        ] {
            fixture.catalogue.fail(question, with: failure)
        }
        try await fixture.serve { server in
            for target in [
                "/movies/discover", "/movies/trending/day", "/movies/film-1/recommendations", "/genres",
                "/movies/lists/popular", "/movies/search?query=a", "/movies/film-1",
                "/movies/film-1/credits",
                "/movies/film-1/reviews", "/movies/film-1/similar", "/box-office/daily", "/box-office/weekly",
            ] {
                let answer = try await server.get(target)
                #expect(answer.status == status && answer.problem == kind, "\(target): \(answer.text)")
                #expect(answer.headers["retry-after"] == retryAfter)
                #expect(answer.headers["cache-control"] == "no-store")
                #expect(!answer.text.contains("secret"))
            }
        }
    }

    @Test func aSourceThatIsOffSaysWhatSwitchesItOn() async throws {
        try await FilmFixture().serve { server in
            let answer = try await server.get("/movies/tmdb:603")
            #expect(answer.status == 503 && answer.problem == "source-off")
            #expect(answer.text.contains("--tmdb-key, or ONESHEET_TMDB_KEY in the environment, switches it on"))
            #expect(answer.headers["retry-after"] == nil)
        }
    }

    @Test(arguments: ["", "/credits", "/reviews", "/similar", "/recommendations"])
    func unknownFilmsAreNotFound(part: String) async throws {
        try await FilmFixture().serve { server in
            let answer = try await server.get("/movies/no-such-film\(part)")
            #expect(answer.status == 404 && answer.problem == "unknown-movie")
            for id in ["kakao:1", "mine:a", "tmdb:x", "TMDB:603", "a%20b", "tmdb:0603", "a%2Fb"] {
                let malformed = try await server.get("/movies/\(id)\(part)")
                #expect(malformed.status == 400 && malformed.problem == "invalid-id", "\(id)")
            }
        }
    }

    @Test func favouritesThatCannotBeReadAreAProblemOfStorage() {
        let problem = StorageFailure(reason: "secret cause").problem
        #expect(problem.kind == .storageFailed && problem.retryAfterSeconds == 10)
        #expect(!problem.detail.contains("secret"))
    }
}

import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Names of a film's credits at TMDB")
struct TMDBNamesTests {
    private let id = MovieID(source: .tmdb, key: "550")!

    /// Credits as long as for a film with a large crew.
    private static let credits: String = {
        let crew = (1...500).map {
            #"{"name":"Crew \#($0)","job":"Gaffer","department":"Lighting","profile_path":"/\#($0).jpg"}"#
        }
        return """
            {"id":550,"cast":[{"name":"B","order":1},{"name":"A","order":0},{"name":"C","order":2},{"name":"D","order":3},
            {"name":"E","order":4},{"name":"F","order":5}],"crew":[\(crew.joined(separator: ",")),
            {"name":"데이비드 핀처","job":"Director"}]}
            """
    }()

    @Test func theDirectorsAndTheFirstFiveActorsAreOneRequest() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/3/movie/550/credits", .json(Self.credits))
            let movies = fixture.tmdb().movies
            for _ in 0..<2 {
                let names = try await movies.names(of: self.id, language: .korean)
                #expect(names == FilmNames(directors: ["데이비드 핀처"], cast: ["A", "B", "C", "D", "E"]))
            }
            #expect(fixture.upstream.requests.map { $0.query["language"] } == ["ko-KR"])
        }
    }

    @Test func onlyTheNamesAreStored() async throws {
        let store = try ResponseStore()
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/credits", .json(Self.credits))
            let fixture = try AdapterFixture(upstream, store: store)
            _ = try await fixture.tmdb().movies.names(of: self.id, language: .korean)
            let stored = try await store.response(
                of: .tmdb, for: "/movie/550/credits?language=ko-KR ko reduced", at: AdapterFixture.noon)
            #expect(stored?.body.count == 66, "of \(Self.credits.utf8.count)")
            // Another process reads the names from the store.
            let other = try AdapterFixture(upstream, store: store)
            let names = try await other.tmdb().movies.names(of: self.id, language: .korean)
            #expect(names?.directors == ["데이비드 핀처"])
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func whatIsNoCreditsIsAnError() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/3/movie/550/credits", .json(#"{"id":550}"#))
            await #expect(throws: SourceFailure.badAnswer(.tmdb, reason: "the response has no credits")) {
                try await fixture.tmdb().movies.names(of: self.id, language: .korean)
            }
        }
    }

    @Test func aFilmThatTMDBDoesNotHaveHasNone() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/3/movie/550/credits", .json(TMDBFixtures.status(34), status: 404))
            let names = try await fixture.tmdb().movies.names(of: self.id, language: .korean)
            #expect(names == nil)
        }
    }
}

import Flights
import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

/// All lists at once, over real sockets.
@Suite(.timeLimit(.hang))
struct HomeTests {
    @Test func allListsAreThereInTheirOrder() async throws {
        let fixture = FilmFixture()
        fixture.catalogue.set(try FilmFixture.films(3), for: .list(.topRated))
        try await fixture.serve { server in
            let answer = try await server.get("/movies/home?language=en")
            #expect(answer.status == 200)
            let sections = answer.objects("sections")
            #expect(sections.map { $0["id"] as? String } == ["nowPlaying", "popular", "topRated", "upcoming"])
            #expect(sections.map { $0["title"] as? String } == ["Now playing", "Popular", "Top rated", "Upcoming"])
            #expect(sections.map { $0["list"] as? String } == MovieList.allCases.map(\.rawValue))
            #expect(sections.map { ($0["results"] as? [Any])?.count } == [0, 0, 3, 0])
            #expect(answer.headers["cache-control"]?.hasPrefix("public") == true)
        }
    }

    @Test func oneListMayFailAloneAndTheResponseIsNotCached() async throws {
        let fixture = FilmFixture()
        fixture.catalogue.set(try FilmFixture.films(3), for: .list(.popular))
        fixture.catalogue.fail(.list(.upcoming), with: .busy(.tmdb, retryAfterSeconds: 7))
        try await fixture.serve { server in
            let answer = try await server.get("/movies/home")
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
            let sections = answer.objects("sections")
            #expect(sections.map { $0["problem"] != nil } == [false, false, false, true])
            let problem = try #require(sections.last?["problem"] as? [String: Any])
            #expect(problem["type"] as? String == "urn:onesheet:problem:source-busy")
            #expect(problem["status"] as? Int == 503 && problem["source"] as? String == "tmdb")
        }
    }

    @Test func whenAllFailTheAnswerDoes() async throws {
        let fixture = FilmFixture()
        for list in MovieList.allCases { fixture.catalogue.fail(.list(list), with: .tooSlow(.tmdb)) }
        try await fixture.serve { server in
            let answer = try await server.get("/movies/home")
            #expect(answer.status == 504 && answer.problem == "source-too-slow")
        }
    }

    @Test func theListsAreRequestedConcurrentlyAndCancelledWithTheRequest() async throws {
        let gate = Gate()
        let catalogue = ScriptedCatalogue(gate: gate)
        let fixture = FilmFixture(catalogue: catalogue)
        try await fixture.serve { server in
            let connection = try server.connect()
            try connection.send("GET", "/movies/home")
            try await eventually { gate.waiterCount >= 4 }
            connection.close()
            try await eventually { gate.waiterCount == 0 }
        }
        #expect(catalogue.asked.count == 4)
    }
}

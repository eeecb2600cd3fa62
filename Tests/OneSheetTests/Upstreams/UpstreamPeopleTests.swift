import MovieDomain
import PosterTesting
import Testing

/// People and lists of TMDB: while it fails, and by country.
@Suite("People and regions from upstreams", .timeLimit(.hang))
struct UpstreamPeopleTests {
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    @Test func aStoredPersonIsServedWhileTheSourceFails() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fillParts(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                let person = try await fixture.app.get("/people/tmdb:71")
                #expect(try await fixture.app.picture(person.films[0].poster.url.text).status == 200)
                #expect(upstream.requests.count { $0.path.hasPrefix("/tmdb/") } == 1, "it had the film's poster")
            }
            try StoredResponses(in: self.data).age()
            upstream.on("GET", "/tmdb/person/71", .status(500))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                let answer = try await fixture.app.send("GET", "/people/tmdb:71")
                #expect(answer.status == 200 && answer.body.films.list.count == 2)
                #expect(answer.headers["cache-status"]?.contains("stale") == true && answer.headers["age"] != nil)
            }
        }
    }

    @Test func theRegionOfTheServerIsThatOfTheListsAtTMDB() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            try await UpstreamFixture.run(
                upstream, data: self.data, sources: [.tmdb], ["--region", "KR"]
            ) { fixture in
                _ = try await fixture.app.get("/movies/home")
                _ = try await fixture.app.get("/movies/lists/upcoming")
                let lists = upstream.requests.filter { $0.path != "/tmdb/genre/movie/list" }
                #expect(lists.count == 4 && lists.allSatisfy { $0.query["region"] == "KR" })
            }
        }
    }
}

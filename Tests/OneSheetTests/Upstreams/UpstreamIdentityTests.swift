import MovieDomain
import PosterTesting
import Testing

/// A film of KOBIS and its counterpart at TMDB.
@Suite("One film of two upstreams", .timeLimit(.hang))
struct UpstreamIdentityTests {
    private static let film = "/movies/kobis:20228555"
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    private func fill(_ upstream: ReplayingUpstream) {
        UpstreamBodies.fill(upstream)
        upstream.on(
            "GET", "/tmdb/search/movie", query: ["query": "갯마을의 밤"],
            .json(UpstreamBodies.page([UpstreamBodies.row(301, title: "갯마을의 밤")])))
    }

    @Test func whatTMDBKnowsIsKnownOfAFilmOfKOBIS() async throws {
        try await withUpstream { upstream in
            self.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                try await self.checkDetails(fixture)
                let reviews = try await fixture.app.get("\(Self.film)/reviews")
                #expect(reviews.results.list.compactMap(\.author.text) == ["긴글", "파란"])
                #expect(reviews.attribution[0].text?.contains("TMDB") == true)
                #expect(try await fixture.app.get("\(Self.film)/similar").results[0].id.text == "tmdb:302")
                let credits = try await fixture.app.get("\(Self.film)/credits")
                #expect(credits.cast.list.compactMap(\.role.text) == ["선장", "등대지기"])
                // The box office's other film has no counterpart at TMDB.
                let other = try await fixture.app.get("/movies/kobis:20228556")
                #expect(!other.counterpart.exists && !other.problems.exists && !other.score.exists)
                #expect(try await fixture.app.get("/movies/kobis:20228556/similar").results.list.isEmpty)
            }
            // The link survives a restart, independently of cached responses.
            upstream.on("GET", "/tmdb/search/movie", .json(UpstreamBodies.status(11), status: 500))
            let searches = upstream.requestCount(to: "/tmdb/search/movie")
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                try await self.checkDetails(fixture)
                #expect(upstream.requestCount(to: "/tmdb/search/movie") == searches)
            }
        }
    }

    private func checkDetails(_ fixture: UpstreamFixture) async throws {
        for path in [Self.film, "/box-office/movies/20228555"] {
            let film = try await fixture.app.get(path)
            #expect(film.id.text == "kobis:20228555" && film.title.text == "갯마을의 밤")
            #expect(film.counterpart.id.text == "tmdb:301")
            #expect(film.counterpart.reason.text == "same title, 2024 in both")
            #expect(film.score.average.double == 7.25 && film.tagline.text == "불을 켜라")
            #expect(film.otherScores.list.compactMap(\.value.text) == ["7.9/10", "91%", "78/100", "3.9/5"])
            #expect(film.sections.list.contains { $0.type.text == "reviews" && $0.reviews.list.count == 2 })
            #expect(film.attribution.list.count == 3 && !film.problems.exists)
        }
    }

    @Test func aFavouriteOfASearchIsOneOfTheBoxOffice() async throws {
        try await withUpstream { upstream in
            self.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                var app = fixture.app
                app.token = try await app.send("POST", "/auth/device").body.token.text
                // The search for its poster links the film to TMDB's.
                #expect(try await fixture.server.get("/poster/kobis:20228555?w=185").status == 200)
                let found = try await app.get("/movies/search?query=%EA%B0%AF%EB%A7%88%EC%9D%84%EC%9D%98%20%EB%B0%A4")
                #expect(found.results[0].id.text == "tmdb:301")
                #expect(try await app.send("PUT", "/favourites/tmdb:301").status == 201)
                // Favourites are merged in the background.
                try await eventually { try await app.send("GET", "/favourites/kobis:20228555").status == 200 }
                #expect(try await app.send("GET", "/favourites/kobis:20228556").status == 404)
                #expect(try await app.send("PUT", "/favourites/kobis:20228555").status == 200)
                #expect(try await app.get("/favourites").totalResults.int == 1)
                let list = try await app.get("/box-office/daily?date=2024-05-04&marks=true")
                #expect(list.results.list.map { $0.isFavourite.bool ?? false } == [true, false])
                #expect(try await app.send("DELETE", "/favourites/kobis:20228555").status == 204)
                #expect(try await app.send("GET", "/favourites/tmdb:301").status == 404)
            }
        }
    }
}

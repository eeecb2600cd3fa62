import Flights
import MovieDomain
import PosterTesting
import Testing

/// Responses while upstreams hang, or respond that a resource does not exist.
@Suite("Upstreams that hang", .timeLimit(.hang))
struct UpstreamHangTests {
    private static let sources: Set<MovieSource> = [.tmdb, .omdb]
    /// Genres in French: those in the vocabulary's languages need no source.
    private static let screens = [
        "/movies/home", "/movies/lists/popular", "/movies/search?query=a", "/genres?language=fr", "/movies/tmdb:301",
        "/movies/tmdb:301/credits", "/movies/tmdb:301/reviews", "/movies/tmdb:301/similar",
    ]
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    /// Scripts the responses for all screens, with a list that has overviews only in English.
    private static func fill(_ upstream: ReplayingUpstream) {
        UpstreamBodies.fill(upstream)
        for (language, overview) in [("ko-KR", ""), ("en-US", "The light is out.")] {
            let page = UpstreamBodies.page([UpstreamBodies.row(11, overview: overview)])
            upstream.on("GET", "/tmdb/movie/popular", query: ["language": language], .json(page))
        }
        upstream.on("GET", "/tmdb/search/movie", .json(UpstreamBodies.page([UpstreamBodies.row(41)])))
    }

    /// Loads all screens, and makes their cached responses stale.
    ///
    /// - Returns: The bodies, by target.
    private func storeScreens(_ upstream: ReplayingUpstream) async throws -> [String: String] {
        var bodies: [String: String] = [:]
        try await UpstreamFixture.run(upstream, data: self.data, sources: Self.sources) { fixture in
            for screen in Self.screens {
                let answer = try await fixture.app.send("GET", screen)
                try #require(answer.status == 200, "\(screen): \(answer.text)")
                #expect(answer.headers["age"] == nil && answer.headers["cache-status"] == nil, "\(screen)")
                bodies[screen] = answer.text
            }
        }
        try StoredResponses(in: self.data).age()
        return bodies
    }

    @Test func whatIsStoredIsServedAtOnceAndSaysThatItIsStale() async throws {
        try await withUpstream { upstream in
            Self.fill(upstream)
            let stored = try await self.storeScreens(upstream)
            let gate = Gate()
            upstream.hold(gate)
            try await UpstreamFixture.run(upstream, data: self.data, sources: Self.sources) { fixture in
                // The gate is closed: a response that waited for a source would never arrive.
                for screen in Self.screens + Self.screens {
                    let answer = try await fixture.app.send("GET", screen)
                    #expect(answer.status == 200, "\(screen): \(answer.text)")
                    #expect(answer.text == stored[screen], "\(screen)")
                    #expect(answer.headers["age"].flatMap { Int($0) }.map { $0 >= 0 } == true, "\(screen)")
                    #expect(answer.headers["cache-control"] == "public, max-age=10", "\(screen)")
                    let status = try #require(answer.headers["cache-status"], "\(screen)")
                    #expect(status.hasPrefix("OneSheet; hit; ttl=-"), "\(screen): \(status)")
                    #expect(status.hasSuffix("; detail=stale-while-revalidate"), "\(screen): \(status)")
                }
                gate.open()
                for screen in Self.screens {
                    try await eventually {
                        try await fixture.app.send("GET", screen).headers["cache-status"] == nil
                    }
                }
            }
        }
    }

    @Test func aSupplementThatHangsIsInALaterResponse() async throws {
        let gate = Gate()
        try await withUpstream { upstream in
            Self.fill(upstream)
            upstream.on("GET", "/omdb/", .held(gate, .json(UpstreamBodies.omdbFilm)))
            let options = ["--supplement-timeout", "0.05"]
            try await UpstreamFixture.run(upstream, data: self.data, sources: Self.sources, options) { fixture in
                for _ in 0..<2 {
                    let film = try await fixture.app.send("GET", "/movies/tmdb:301")
                    #expect(film.status == 200, "\(film.text)")
                    #expect(film.body.title.text == "갯마을의 밤" && film.body.otherScores.list.isEmpty)
                    #expect(film.body.problems[0].source.text == "omdb")
                    #expect(film.body.problems[0].type.text == "urn:onesheet:problem:source-too-slow")
                    #expect(film.headers["cache-control"] == "no-store")
                }
                gate.open()
                try await eventually {
                    let film = try await fixture.app.send("GET", "/movies/tmdb:301")
                    return film.body.otherScores.list.count == 3 && !film.body.problems.exists
                }
                #expect(upstream.requestCount(to: "/omdb/") == 1)
            }
        }
    }

    @Test func namesInNaversFormatThatHangAreInALaterResponse() async throws {
        let gate = Gate()
        try await withUpstream { upstream in
            Self.fill(upstream)
            upstream.on("GET", "/tmdb/movie/41/credits", .held(gate, .json(UpstreamBodies.credits(41))))
            let options = ["--supplement-timeout", "0.05"]
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb], options) { fixture in
                let target = "/v1/search/movie.json?query=41"
                for _ in 0..<2 {
                    let page = try await fixture.app.send("GET", target)
                    #expect(page.status == 200 && page.headers["cache-control"] == "no-store", "\(page.text)")
                    #expect(page.body.items[0].director.text == "" && page.body.items[0].actor.text == "")
                }
                gate.open()
                try await eventually {
                    let page = try await fixture.app.send("GET", target)
                    return page.body.items[0].director.text == "정만조|"
                        && page.headers["cache-control"] == "public, max-age=60"
                }
                #expect(upstream.requestCount(to: "/tmdb/movie/41/credits") == 1)
            }
        }
    }

    @Test func aListDoesNotWaitForTextsInEnglish() async throws {
        let gate = Gate()
        try await withUpstream { upstream in
            Self.fill(upstream)
            let page = UpstreamBodies.page([UpstreamBodies.row(11, overview: "The light is out.")])
            upstream.on("GET", "/tmdb/movie/popular", query: ["language": "en-US"], .held(gate, .json(page)))
            let options = ["--supplement-timeout", "0.05"]
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb], options) { fixture in
                let list = try await fixture.app.send("GET", "/movies/lists/popular")
                #expect(list.status == 200 && list.body.results[0].title.text == "영화 11")
                #expect(list.headers["cache-control"] == "no-store")
                gate.open()
                try await eventually {
                    let list = try await fixture.app.send("GET", "/movies/lists/popular")
                    return list.body.results[0].overview.text == "The light is out."
                        && list.headers["cache-control"]?.hasPrefix("public") == true
                }
            }
        }
    }

    @Test(
        "one round of answers that nothing is there, or that nobody may see it, discards nothing",
        arguments: [
            OriginScript.json(UpstreamBodies.status(34), status: 404), .status(404), .html(status: 404),
            .html(status: 403), .json("{}", status: 401),
        ])
    func oneRoundOfRefusals(_ refusal: OriginScript) async throws {
        try await withUpstream { upstream in
            Self.fill(upstream)
            let stored = try await self.storeScreens(upstream)
            upstream.answerAll(with: refusal)
            let options = ["--log-level", "info"]
            try await UpstreamFixture.run(upstream, data: self.data, sources: Self.sources, options) { fixture in
                for screen in Self.screens {
                    let isTold = { (answer: AppClient.Answer) in
                        answer.headers["cache-status"]?.hasSuffix("detail=stale-if-error") == true
                    }
                    try await eventually {
                        let answer = try await fixture.app.send("GET", screen)
                        #expect(answer.status == 200, "\(screen): \(answer.text)")
                        #expect(answer.text == stored[screen], "\(screen)")
                        return isTold(answer)
                    }
                }
                #expect(fixture.server.errors.contains("An upstream request failed"))
                for sign in ["key_refused", "rejects the configured key"] {
                    #expect(!fixture.server.errors.contains(sign), "\(sign)")
                }
                // A response that was never cached is available as soon as the source recovers.
                let none = try await fixture.app.send("GET", "/movies/lists/popular?page=2")
                #expect(none.status == 502)
                upstream.answerAll(with: nil)
                _ = try await fixture.app.get("/movies/lists/popular?page=2")
            }
            try await UpstreamFixture.run(upstream, data: self.data, sources: Self.sources) { fixture in
                for screen in Self.screens {
                    try await eventually {
                        let answer = try await fixture.app.send("GET", screen)
                        #expect(answer.status == 200 && answer.text == stored[screen], "\(screen)")
                        return answer.headers["cache-status"] == nil
                    }
                }
            }
        }
    }
}

import Flights
import MovieDomain
import PosterTesting
import Testing

@Suite("Upstreams that fail", .timeLimit(.hang))
struct UpstreamFaultScreenTests {
    /// Requests to one source, different for each number.
    struct Question: Sendable, CustomTestStringConvertible {
        let source: MovieSource
        let path: @Sendable (Int) -> String
        let query: @Sendable (Int) -> [String: String]
        let target: @Sendable (Int) -> String

        var testDescription: String { self.source.rawValue }
    }

    static let questions = [
        Question(source: .tmdb, path: { "/tmdb/movie/\($0)" }, query: { _ in [:] }, target: { "/movies/tmdb:\($0)" }),
        Question(
            source: .kobis, path: { _ in "/kobis/boxoffice/searchDailyBoxOfficeList.json" },
            query: { ["targetDt": "2024050\($0)"] }, target: { "/box-office/daily?date=2024-05-0\($0)" }),
        Question(
            source: .kmdb, path: { _ in "/kmdb/search_json2.jsp" }, query: { ["movieSeq": "0000\($0)"] },
            target: { "/movies/kmdb:F0000\($0)" }),
        Question(
            source: .omdb, path: { _ in "/omdb/" }, query: { ["i": "tt000000\($0)"] },
            target: { "/movies/omdb:tt000000\($0)" }),
        Question(
            source: .itunes, path: { _ in "/itunes/lookup" }, query: { ["id": "\($0)"] },
            target: { "/apps/itunes:\($0)" }),
    ]

    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    @Test("each fault has its own problem", arguments: questions)
    func faults(_ question: Question) async throws {
        // The last one makes the service pause requests to the upstream.
        let faults: [(script: OriginScript, status: Int, kind: String)] = [
            (.html(), 502, "source-unavailable"), (.status(500), 502, "source-unavailable"),
            (.json(UpstreamBodies.status(7), status: 401), 502, "source-unavailable"),
            (.closeEarly(declared: 100, sent: [123]), 502, "source-unavailable"),
            (.tooMany(retryAfter: 77), 503, "source-busy"),
        ]
        try await withUpstream { upstream in
            for (number, fault) in faults.enumerated() {
                upstream.on("GET", question.path(number + 1), query: question.query(number + 1), fault.script)
            }
            let options = ["--log-level", "trace"]
            try await UpstreamFixture.run(upstream, data: self.data, sources: [question.source], options) { fixture in
                for (number, fault) in faults.enumerated() {
                    let answer = try await fixture.app.send("GET", question.target(number + 1))
                    #expect(answer.status == fault.status, "\(number): \(answer.text)")
                    #expect(answer.body.type.text == "urn:onesheet:problem:\(fault.kind)", "\(number): \(answer.text)")
                    #expect(answer.headers["content-type"] == "application/problem+json")
                    #expect(answer.headers["retry-after"] == (fault.status == 503 ? "77" : nil))
                    #expect(answer.body.detail.text?.contains(question.source.name) == true)
                    try self.checkSecrets(answer, fixture)
                }
                #expect(upstream.requests.count == faults.count)
                #expect(fixture.server.errors.contains("An upstream request failed"))
                // Error code 7 is TMDB's: other sources have their own for a refused key.
                #expect(fixture.server.errors.contains("key_refused") == (question.source == .tmdb))
            }
        }
    }

    @Test func aSourceThatIsLeftAloneAfterFailuresIsBusyAndSaysUntilWhen() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/tmdb/movie/1", .status(500))
            let options = ["--breaker-failures", "1", "--breaker-time", "60"]
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb], options) { fixture in
                #expect(try await fixture.app.send("GET", "/movies/tmdb:1").status == 502)
                let answer = try await fixture.app.send("GET", "/movies/tmdb:2")
                #expect(answer.status == 503, "\(answer.text)")
                #expect(answer.body.type.text == "urn:onesheet:problem:source-busy")
                let wait = answer.headers["retry-after"].flatMap { Int($0) }
                #expect(wait.map((1...60).contains) == true)
                #expect(upstream.requests.count == 1, "it is not asked")
            }
        }
    }

    @Test func aSourceThatTakesTooLongIsNotWaitedFor() async throws {
        let gate = Gate()
        try await withUpstream { upstream in
            for question in Self.questions {
                upstream.on("GET", question.path(1), query: question.query(1), .held(gate, .status(200)))
            }
            try await UpstreamFixture.run(upstream, data: self.data, ["--fetch-timeout", "0.2"]) { fixture in
                for question in Self.questions {
                    let answer = try await fixture.app.send("GET", question.target(1))
                    #expect(answer.status == 504, "\(question.source): \(answer.text)")
                    #expect(answer.body.type.text == "urn:onesheet:problem:source-too-slow")
                    #expect(answer.body.detail.text?.contains(question.source.name) == true)
                }
            }
            gate.open()
        }
    }

    private func checkSecrets(_ answer: AppClient.Answer, _ fixture: UpstreamFixture) throws {
        let said = fixture.server.errors
        for key in UpstreamFixture.keys.values {
            #expect(!"\(answer.headers)\(answer.text)".contains(key))
            #expect(!said.contains(key))
        }
    }

    @Test func aFaultOfKOBISsIsOneAlthoughItsStatusIs200() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            upstream.on(
                "GET", "/kobis/boxoffice/searchDailyBoxOfficeList.json",
                inTurn: [.json(UpstreamBodies.wrongKeyOfKOBIS), .json(UpstreamBodies.daily)])
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.kobis]) { fixture in
                let refused = try await fixture.app.send("GET", "/box-office/daily?date=2024-05-04")
                #expect(refused.status == 502)
                #expect(refused.body.detail.text?.contains("does not accept this server's key") == true)
                try self.checkSecrets(refused, fixture)
                // The error was not cached.
                #expect(try await fixture.app.get("/box-office/daily?date=2024-05-04").results.list.count == 2)
            }
        }
    }

    @Test(
        "stale responses are served while there is nothing fresh",
        arguments: [OriginScript.tooMany(retryAfter: 60), .status(500), .html(), .closeEarly(declared: 9, sent: [])])
    func stale(_ script: OriginScript) async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                _ = try await fixture.app.get("/movies/lists/popular")
            }
            try StoredResponses(in: self.data).age()
            upstream.on("GET", "/tmdb/movie/popular", script)
            upstream.on("GET", "/tmdb/genre/movie/list", script)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                for _ in 0..<3 {
                    let list = try await fixture.app.get("/movies/lists/popular")
                    #expect(list.results.list.count == 3)
                    #expect(list.results[0].genres.list.compactMap(\.name.text) == ["드라마", "미스터리"])
                }
                // One attempt, and then none for a while.
                #expect(upstream.requestCount(to: "/tmdb/movie/popular") <= 2)
                upstream.on("GET", "/tmdb/movie/upcoming", .status(500))
                #expect([502, 503].contains(try await fixture.app.send("GET", "/movies/lists/upcoming").status))
            }
        }
    }

    @Test func aRefusedKeyIsReportedAlthoughThereIsSomethingStale() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                _ = try await fixture.app.get("/movies/lists/popular")
            }
            try StoredResponses(in: self.data).age()
            for path in ["/tmdb/movie/popular", "/tmdb/genre/movie/list"] {
                upstream.on("GET", path, .json(UpstreamBodies.status(7), status: 401))
            }
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                // The first stale response starts the request that is refused.
                try await eventually {
                    try await fixture.app.send("GET", "/movies/lists/popular").status == 502
                }
                for _ in 0..<3 {
                    let refused = try await fixture.app.send("GET", "/movies/lists/popular")
                    #expect(refused.status == 502)
                    try self.checkSecrets(refused, fixture)
                }
                // One log line.
                let said = fixture.server.errors.split(separator: "rejects the configured key")
                #expect(said.count == 2, "\(fixture.server.errors)")
            }
        }
    }

    @Test func oneListThatFailsTakesNothingFromTheOthers() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            upstream.on("GET", "/tmdb/movie/top_rated", .status(500))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                let home = try await fixture.app.send("GET", "/movies/home")
                #expect(home.status == 200 && home.headers["cache-control"]?.contains("no-store") == true)
                #expect(home.body.sections.list.map { $0.results.list.count } == [3, 3, 0, 3])
                #expect(home.body.sections[2].problem.type.text == "urn:onesheet:problem:source-unavailable")
            }
        }
    }

    @Test func aSourceWithoutAKeySaysWhatSwitchesItOn() async throws {
        let server = try await InProcessServer(dataDirectory: self.data)
        let app = AppClient(server: server)
        for (target, option) in [
            ("/movies/tmdb:301", "tmdb-key"), ("/poster/tmdb:301?w=185", "tmdb-key"),
            ("/movies/kobis:20228555/credits", "kobis-key"), ("/poster/kobis:20228555?w=185", "kobis-key"),
            ("/movies/kmdb:F00001/poster-candidates", "kmdb-key"), ("/movies/omdb:tt0903001", "omdb-key"),
            ("/movies/itunes:901", "itunes-country"), ("/apps/itunes:901", "itunes-country"),
            ("/poster/itunes:901?w=185", "itunes-country"),
        ] {
            let answer = try await app.send("GET", target)
            #expect(answer.status == 503, "\(target): \(answer.text)")
            #expect(answer.body.type.text == "urn:onesheet:problem:source-off", "\(target)")
            #expect(answer.body.detail.text?.contains("--\(option)") == true, "\(target): \(answer.text)")
            let variable = "ONESHEET_" + option.uppercased().split(separator: "-").joined(separator: "_")
            #expect(answer.body.detail.text?.contains(variable) == true, "\(target): \(answer.text)")
        }
        let states = try await app.get("/readyz").sources.list
        #expect(states.first { $0.name.text == "kakao" }?.option.text == "--kakao-key", "\(states)")
        #expect(await server.stop() == 0)
    }
}

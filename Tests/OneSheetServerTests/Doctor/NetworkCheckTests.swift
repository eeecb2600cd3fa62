import Flights
import HTTPFetch
import MovieDomain
import OneSheetConfiguration
import PosterTesting
import Testing

@testable import OneSheetServer

/// Checks that send requests: keys of sources, origins, the clock, shared engines.
@Suite(.timeLimit(.hang))
struct NetworkCheckTests {
    private static func configuration(_ options: [String: [String]]) throws -> ServeConfiguration {
        try ConfigurationSource(commandLine: options, environment: [:]).read().configuration
    }

    private static func fetcher(_ configuration: ServeConfiguration) throws -> Fetcher {
        try Fetcher(configuration: OriginProbe.limits(configuration.fetch))
    }

    private static func keys(_ options: [String: [String]]) async throws -> [CheckResult] {
        let configuration = try Self.configuration(options)
        let fetcher = try Self.fetcher(configuration)
        defer { fetcher.shutdown() }
        return try await ServiceChecks(
            SourceChecks(settings: configuration.sources, fetcher: fetcher).checks
        ).run()
    }

    @Test func withoutKeysNoSourceIsAsked() async throws {
        let results = try await Self.keys([:])
        #expect(results.map(\.outcome) == [.skipped])
        for option in [
            "--tmdb-key", "--omdb-key", "--mdblist-key", "--kobis-key", "--kmdb-key", "--kakao-key", "--itunes-country",
        ] {
            #expect(results[0].text.contains(option), "\(option)")
        }
    }

    @Test func aRejectedKeyIsNamedAndNeverShown() async throws {
        try await withOrigin { upstream in
            upstream.on("/kobis/boxoffice/searchDailyBoxOfficeList.json") { _ in
                .answer(body: Array(#"{"faultInfo":{"errorCode":"320010","message":"no key"}}"#.utf8))
            }
            upstream.on("/tmdb/configuration") { _ in
                .answer(headers: [("Content-Type", "application/json")], body: Array(#"{"images":{}}"#.utf8))
            }
            let results = try await Self.keys([
                "kobis-key": ["SECRET"], "tmdb-key": ["SECRET"], "allow-private-origins": ["true"],
                "source-url": ["kobis=\(upstream.baseURL)/kobis", "tmdb=\(upstream.baseURL)/tmdb"],
            ])
            let outcomes = Dictionary(uniqueKeysWithValues: results.map { ($0.subject, $0.outcome) })
            #expect(outcomes == ["TMDB": .ok, "KOBIS": .failure, "": .skipped], "\(results)")
            #expect(results.contains { $0.text == "The source rejects the key: set --kobis-key to a valid one." })
            #expect(!"\(results)".contains("SECRET"))
        }
    }

    @Test(
        "a film of KMDb confirms its key, an empty result does not",
        arguments: [
            ("", CheckResult.Outcome.warning, "Not confirmed"), (#"{"DOCID":"F00001","title":"Film"}"#, .ok, "accepts"),
        ])
    func kmdb(row: String, outcome: CheckResult.Outcome, words: String) async throws {
        try await withOrigin { upstream in
            upstream.onAnythingElse { _ in
                .answer(
                    headers: [("Content-Type", "application/json")],
                    body: Array(#"{"TotalCount":1,"Data":[{"Result":[\#(row)]}]}"#.utf8))
            }
            let results = try await Self.keys([
                "kmdb-key": ["SECRET"], "allow-private-origins": ["true"],
                "source-url": ["kmdb=\(upstream.baseURL)"],
            ])
            let result = try #require(results.first { $0.subject == "KMDb" })
            #expect(result.outcome == outcome && result.text.contains(words), "\(result)")
        }
    }

    @Test(
        "MDBList's answer confirms or rejects the key",
        arguments: [
            (200, #"{"ids":{"imdb":"tt0133093"},"ratings":[]}"#, CheckResult.Outcome.ok, "accepts the key"),
            (401, #"{"error":"Invalid API key!"}"#, .failure, "set --mdblist-key to a valid one"),
            (429, #"{"error":"API Limit Reached!"}"#, .warning, "no quota left"),
        ])
    func mdblist(status: Int, body: String, outcome: CheckResult.Outcome, words: String) async throws {
        try await withOrigin { upstream in
            upstream.on("/mdblist/imdb/movie/tt0133093") { _ in
                .answer(status: status, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
            }
            let results = try await Self.keys([
                "mdblist-key": ["SECRET"], "allow-private-origins": ["true"],
                "source-url": ["mdblist=\(upstream.baseURL)/mdblist"],
            ])
            let result = try #require(results.first { $0.subject == "MDBList" })
            #expect(result.outcome == outcome && result.text.contains(words), "\(result)")
            #expect(!"\(results)".contains("SECRET"))
        }
    }

    @Test func anUnreachableSourceIsAFailureThatDoesNotBlameTheKey() async throws {
        let results = try await Self.keys([
            "omdb-key": ["k"], "source-url": ["omdb=http://127.0.0.1:1"], "allow-private-origins": ["true"],
        ])
        let result = try #require(results.first { $0.subject == "OMDb" })
        #expect(result.outcome == .failure && result.text.contains("check the network"), "\(result)")
    }

    private static func origins(_ options: [String: [String]]) async throws -> [CheckResult] {
        let configuration = try Self.configuration(options)
        let fetcher = try Self.fetcher(configuration)
        defer { fetcher.shutdown() }
        return try await ServiceChecks(
            OriginChecks(configuration: configuration, probe: OriginProbe(fetcher: fetcher)).checks
        ).run()
    }

    @Test func originsAreAskedThroughTheAddressGuard() async throws {
        try await withOrigin { origin in
            let template = ["origin": ["mine=\(origin.baseURL)/{key}"]]
            let refused = try await Self.origins(template)
            #expect(refused.map(\.outcome) == [.failure])
            #expect(refused[0].text.contains("not public: allow it with --allow-private-origin"), "\(refused)")
            #expect(origin.requests.isEmpty)
            let allowed = try await Self.origins(template.merging(["allow-private-origins": ["true"]]) { $1 })
            #expect(allowed.map(\.outcome) == [.ok] && allowed[0].text.contains("status 404"), "\(allowed)")
        }
    }

    @Test(
        "a status may need attention",
        arguments: [(200, CheckResult.Outcome.ok), (403, .ok), (401, .warning), (429, .warning), (503, .warning)])
    func status(status: Int, expected: CheckResult.Outcome) async throws {
        try await withOrigin { origin in
            origin.onAnythingElse { _ in .status(status) }
            let results = try await Self.origins([
                "origin": ["mine=\(origin.baseURL)/{key}"], "allow-private-origins": ["true"],
            ])
            #expect(results.map(\.outcome) == [expected], "\(results)")
            #expect(origin.requests.count == 1, "it is not retried")
        }
    }

    @Test func withoutOriginsNothingIsAsked() async throws {
        #expect(try await Self.origins([:]).map(\.outcome) == [.skipped])
        let shared = SharedChecks(configuration: try Self.configuration([:]))
        #expect(try await ServiceChecks(shared.checks).run().map(\.outcome) == [.skipped])
    }

    @Test func theClockIsComparedWithTheFirstUpstream() async throws {
        try await withOrigin { origin in
            origin.onAnythingElse { _ in
                .answer(headers: [("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
            }
            let configuration = try Self.configuration([
                "origin": ["mine=\(origin.baseURL)/{key}"], "allow-private-origins": ["true"],
            ])
            let fetcher = try Self.fetcher(configuration)
            defer { fetcher.shutdown() }
            let check = ClockCheck(configuration: configuration, probe: OriginProbe(fetcher: fetcher)).check
            let results = try await ServiceChecks([check]).run()
            #expect(results.map(\.outcome) == [.failure] && results[0].text.contains("ahead of \(origin.baseURL)"))
        }
    }

    @Test func sharedEnginesThatCannotBeReachedAreFailuresWithoutPasswords() async throws {
        let configuration = try Self.configuration([
            "redis": ["redis://user:SECRET@127.0.0.1:1"],
            "library": ["postgres://user:SECRET@127.0.0.1:1/films?connect_timeout=1"],
        ])
        let results = try await ServiceChecks(SharedChecks(configuration: configuration).checks).run()
        #expect(results.map(\.outcome) == [.failure, .failure], "\(results)")
        #expect(!"\(results)".contains("SECRET"), "\(results)")
        #expect(results[0].text.contains("Redis is not available: Connection refused"), "\(results)")
    }
}

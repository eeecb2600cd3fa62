import Flights
import HTTPTesting
import MovieDomain
import MovieSources
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing
import UpstreamClient

@testable import MovieCompatibility
@testable import OneSheetServer

/// Other services' responses are stored and shared like the sources of the server's own resources.
@Suite(.timeLimit(.hang))
struct UpstreamSharingTests {
    /// An API with requests that differ only in client-specific parameters, and the service's response to them.
    struct Case: Sendable, CustomTestStringConvertible {
        let api: CompatibleAPI
        let targets: [String]
        let path, body: String

        var testDescription: String { self.api.rawValue }
    }

    private static let cases = [
        Case(
            api: .tmdb,
            targets: ["api_key=a", "api_key=b&session_id=c", "unknown=d"].map { "/compat/tmdb/3/movie/550?\($0)" },
            path: "/3/movie/550", body: #"{"id":550,"title":"a"}"#),
        Case(
            api: .tmdb, targets: ["api_key=a", "api_key=b"].map { "/compat/tmdb/3/tv/1399?\($0)" },
            path: "/3/tv/1399", body: #"{"id":1399,"name":"a"}"#),
        Case(
            api: .kobis,
            targets: ["key=a", "key=b", "unknown=c"].map {
                "/compat/kobis/kobisopenapi/webservice/rest/movie/searchMovieInfo.json?movieCd=20124079&\($0)"
            },
            path: "/movie/searchMovieInfo.json",
            body: #"{"movieInfoResult":{"movieInfo":{"movieCd":"20124079","movieNm":"a"},"source":"b"}}"#),
        Case(
            api: .itunes,
            targets: ["country=us", "country=US", "unknown=c&country=US"].map {
                "/compat/itunes/lookup?id=361309726&\($0)"
            },
            path: "/lookup", body: #"{"resultCount":1,"results":[{"wrapperType":"x","trackName":"a"}]}"#),
        Case(
            api: .kakao,
            targets: ["", "&page=1", "&sort=accuracy"].map { "/compat/kakao/v2/search/image?query=a\($0)" },
            path: "/v2/search/image", body: #"{"documents":[{"width":3}],"meta":{"is_end":true}}"#),
        Case(
            api: .omdb, targets: ["apikey=a", "apikey=b", "unknown=c"].map { "/compat/omdb/?i=tt9032400&\($0)" },
            path: "/", body: #"{"Title":"a","Response":"True"}"#),
    ]

    private static func run(
        _ upstream: ReplayingUpstream, _ body: @escaping @Sendable (LiveServer, ManualTimeOfDay) async throws -> Void
    ) async throws {
        let clock = ManualTimeOfDay(1_780_000_000)
        let environment = try UpstreamClient.Environment.replaying(clock.now)
        let base = upstream.baseURL
        let documents = CompatibleUpstreams(
            tmdb: TMDBDocumentSource(tmdb: TMDB(key: "k", baseURL: base + "/3", in: environment)),
            kobis: ClientDocuments(.kobis(key: "k", baseURL: base, in: environment)),
            iTunes: ClientDocuments(.iTunes(baseURL: base, in: environment)),
            kakao: ClientDocuments(.kakao(key: "k", baseURL: base, in: environment)),
            omdb: ClientDocuments(.omdb(key: "k", baseURL: base, in: environment)))
        try await MovieServicesFixture().run(.compatible(documents: documents)) { server in
            try await body(server, clock)
        }
    }

    @Test("clients at once, and those after them, make one request", arguments: cases)
    func oneRequest(_ wanted: Case) async throws {
        let gate = Gate()
        try await withUpstream { upstream in
            upstream.on("GET", wanted.path, .held(gate, .json(wanted.body)))
            try await Self.run(upstream) { server, _ in
                try await withThrowingTaskGroup(of: HTTPConnection.Answer.self) { group in
                    for target in wanted.targets { group.addTask { try await server.get(target) } }
                    try await upstream.requestsArrived(at: wanted.path)
                    gate.open()
                    for try await answer in group { #expect(answer.status == 200, "\(answer.text)") }
                }
                for target in wanted.targets { #expect(try await server.get(target).status == 200) }
            }
            #expect(upstream.requestCount(to: wanted.path) == 1)
        }
    }

    @Test("while the service fails, responses are the stored ones, and say so", arguments: cases)
    func staleOnError(_ wanted: Case) async throws {
        let target = try #require(wanted.targets.first)
        try await withUpstream { upstream in
            upstream.on("GET", wanted.path, .json(wanted.body))
            try await Self.run(upstream) { server, clock in
                let fresh = try await server.get(target)
                #expect(fresh.status == 200 && fresh.headers["cache-status"] == nil)
                upstream.answerAll(with: .status(500))
                clock.advance(by: .seconds(3 * 86_400))
                for _ in 1...2 {
                    let stale = try await server.get(target)
                    #expect(stale.status == 200 && stale.body == fresh.body)
                    #expect(stale.headers["age"] == "\(3 * 86_400)")
                    #expect(stale.headers["cache-status"]?.hasPrefix("OneSheet; hit; ") == true)
                }
            }
        }
    }
}

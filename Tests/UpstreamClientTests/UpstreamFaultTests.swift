import HTTPFetch
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import UpstreamClient

@Suite("Upstreams that fail")
struct UpstreamFaultTests {
    @Test(arguments: [
        (401, SourceFailure.unavailable(.tmdb, reason: "status 401")),
        (403, .unavailable(.tmdb, reason: "status 403")), (404, .unavailable(.tmdb, reason: "status 404")),
        (408, .tooSlow(.tmdb)),
        (504, .tooSlow(.tmdb)), (500, .unavailable(.tmdb, reason: "status 500")),
        (503, .unavailable(.tmdb, reason: "status 503")), (429, .busy(.tmdb, retryAfterSeconds: 2)),
        (422, .badAnswer(.tmdb, reason: "status 422")), (302, .badAnswer(.tmdb, reason: "status 302")),
    ])
    func aStatusIsAFailure(status: Int, failure: SourceFailure) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .html(status: status))
            let client = try UpstreamFixture(upstream).client()
            #expect(await client.failure("/film") == failure)
        }
    }

    @Test func aCodedResponseWithoutTheFieldIsRead() async throws {
        try await withUpstream { upstream in
            // {"a":1}, compressed with gzip.
            let coded: [UInt8] = [
                31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 84, 178, 50, 172, 5, 0, 175, 172, 27, 86, 7, 0, 0, 0,
            ]
            upstream.on("GET", "/film", .answer(headers: [("Content-Type", "application/json")], body: coded))
            let client = try UpstreamFixture(upstream).client()
            #expect(try await client.text("/film") == #"{"a":1}"#)
        }
    }

    @Test func aCodingThatIsNotSupportedIsTheReason() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .answer(headers: [("Content-Encoding", "zstd")], body: [1]))
            let failure = try await UpstreamFixture(upstream).client().failure("/film")
            guard case .badAnswer(.tmdb, let reason) = failure else {
                return #expect(Bool(false), "\(String(describing: failure))")
            }
            #expect(reason.hasPrefix("its Content-Encoding zstd is not supported"))
        }
    }

    @Test func aTagThatCannotBeSentBackIsNotStored() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .answer(headers: [("ETag", "\"a\u{1}b\"")], body: Array(#"{"a":1}"#.utf8)))
            let fixture = try UpstreamFixture(upstream)
            let client = fixture.client()
            _ = try await client.text("/film")
            fixture.clock.advance(by: .seconds(7 * 86_400))
            #expect(try await client.text("/film") == #"{"a":1}"#)
            try await client.settle()
            #expect(upstream.origin.requests(to: "/film").map(\.headers["if-none-match"]) == [nil, nil])
        }
    }

    @Test func aBusyUpstreamSaysForHowLong() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .tooMany(retryAfter: 7))
            let client = try UpstreamFixture(upstream).client()
            #expect(await client.failure("/film") == .busy(.tmdb, retryAfterSeconds: 7))
            // No requests are sent for that time.
            let again = await client.failure("/other")
            guard case .busy(.tmdb, let seconds) = again else {
                return #expect(Bool(false), "\(String(describing: again))")
            }
            #expect((1...7).contains(seconds))
            #expect(upstream.requestCount(to: "/other") == 0)
        }
    }

    @Test(arguments: [
        OriginScript.status(500), .tooMany(), .html(), .closeEarly(declared: 100, sent: [123]),
        OriginScript([.close]), .status(404), .html(status: 404), .json("{}", status: 404), .html(status: 403),
        .status(401),
    ])
    func staleResponsesAreServedRatherThanNothing(script: OriginScript) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json(#"{"a":1}"#), script])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(7 * 86_400))
            #expect(try await client.text("/film") == #"{"a":1}"#)
            try await client.settle()
            // libcurl itself repeats a request once if a reused connection was closed.
            let count = upstream.requestCount(to: "/film")
            #expect((2...3).contains(count))
            // No request is sent for a while.
            #expect(try await client.text("/film") == #"{"a":1}"#)
            #expect(upstream.requestCount(to: "/film") == count)
            rig.clock.advance(by: .seconds(2 * 3600))
            #expect(await client.failure("/film") != nil)
        }
    }

    @Test func refusalsThatAreWantedAreDecodedUnlessAResponseIsStored() async throws {
        let refusal = OriginScript.json(#"{"no":1}"#, status: 422)
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [refusal, refusal, .json("{}"), refusal])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            let request = UpstreamRequest("/film", isRefusal: { $0.status == 422 })
            let body = { try await client.get(request) { String(decoding: $0.body, as: UTF8.self) } }
            for count in 1...2 {
                for _ in 1...2 { #expect(try await body() == #"{"no":1}"#) }
                #expect(upstream.requestCount(to: "/film") == count)
                rig.clock.advance(by: .seconds(31))
            }
            #expect(try await body() == "{}")
            rig.clock.advance(by: .seconds(2 * 3600))
            #expect(try await body() == "{}")
            try await client.settle()
            #expect(upstream.requestCount(to: "/film") == 4)
            #expect(try await body() == "{}", "a stored response is preferred")
        }
    }

    @Test func aRefusedKeyIsNotHiddenByWhatIsStale() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json("{}"), .status(401)])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client { $0.status == 401 ? .failure(.keyRefused(.tmdb)) : .byStatus }
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(4000))
            #expect(try await client.text("/film") == "{}", "the refusal is not known yet")
            try await client.settle()
            for _ in 0..<2 { #expect(await client.failure("/film") == .keyRefused(.tmdb)) }
            upstream.on("GET", "/film", .json(#"{"a":1}"#))
            #expect(try await client.text("/film") == #"{"a":1}"#)
        }
    }

    @Test func whatAlwaysExistsIsNeverMissing() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/list", inTurn: [.json("{}", status: 404), .json(#"{"a":1}"#)])
            let client = try UpstreamFixture(upstream).client { $0.status == 404 ? .missing : .byStatus }
            let failure = SourceFailure.unavailable(.tmdb, reason: "the list does not exist at the upstream")
            let request = UpstreamRequest("/list", isPermanent: true)
            await #expect(throws: failure) { try await client.get(request) { $0.body.count } }
            let second = try await client.get(request) { $0.body.count }
            #expect(second == 7, "the failure is not remembered")
        }
    }

    @Test func anAnswerThatTakesTooLongIsTooSlow() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .hangBeforeHeaders)
            let rig = try UpstreamFixture(upstream, store: ResponseStore()) { $0.totalTimeout = .milliseconds(50) }
            #expect(await rig.client().failure("/film") == .tooSlow(.tmdb))
        }
    }

    @Test func anAnswerThatIsTooLargeIsBad() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json([UInt8](repeating: 32, count: (4 << 20) + 1)))
            upstream.on("GET", "/error", .json([UInt8](repeating: 32, count: (4 << 20) + 1), status: 500))
            let client = try UpstreamFixture(upstream).client()
            #expect(await client.failure("/film") == .badAnswer(.tmdb, reason: "more than 4194304 bytes"))
            #expect(await client.failure("/error") == .badAnswer(.tmdb, reason: "more than 4194304 bytes"))
        }
    }

    @Test func theKeyIsInNoErrorAndNoDescription() async throws {
        let secret = UpstreamFixture.key
        try await withUpstream { upstream in
            upstream.on("GET", "/close", OriginScript([.close]))
            upstream.on("GET", "/away", .redirect(to: "http://other.test/?api_key=\(secret)"))
            upstream.on("GET", "/loop", .redirect(to: "/loop?api_key=\(secret)"))
            upstream.on("GET", "/bad", .redirect(to: "ftp://x/?api_key=\(secret)"))
            let rig = try UpstreamFixture(upstream)
            let credentials: [UpstreamCredential] = [
                .query(name: "api_key", value: secret), .header(name: "Authorization", value: "Bearer \(secret)"),
            ]
            let client = rig.client(credentials: credentials)
            var words: [String] = credentials.map { "\($0)" + String(reflecting: $0) }
            for path in ["/close", "/away", "/loop", "/bad"] {
                let failure = try #require(await client.failure(path))
                words.append("\(failure) \(String(reflecting: failure))")
            }
            let request = UpstreamRequest("/x", secrets: [("session_id", secret)], json: Array(secret.utf8))
            words.append("\(request) \(String(reflecting: request))")
            let call = AuthenticatedRequest(
                method: .get, url: "http://h/p?api_key=\(secret)", headers: [("A", secret)], json: nil, responseBytes: 1
            )
            words.append("\(call) \(String(reflecting: call))")
            var dumped = ""
            dump(call, to: &dumped)
            dump(request, to: &dumped)
            dump(credentials, to: &dumped)
            words.append(dumped)
            #expect(!words.joined().contains(secret))
        }
    }

    @Test func aDaysBudgetIsNotExceededEvenAfterARestart() async throws {
        let store = try ResponseStore()
        try await withUpstream { upstream in
            upstream.on("GET", "/a", .json("{}"))
            upstream.on("GET", "/b", .json("{}"))
            upstream.on("GET", "/c", .json("{}"))
            let rig = try UpstreamFixture(upstream, store: store)
            let client = rig.client(budget: .korean(2))
            _ = try await client.text("/a")
            _ = try await client.text("/a")
            _ = try await client.text("/b")
            // 2023-11-14T22:13:20Z is 07:13:20 of the next day in Korea.
            let left = 86_400 - (7 * 3600 + 13 * 60 + 20)
            #expect(await client.failure("/c") == .busy(.tmdb, retryAfterSeconds: left))
            let restarted = try UpstreamFixture(upstream, store: store)
            #expect(await restarted.client(budget: .korean(2)).failure("/c") == .busy(.tmdb, retryAfterSeconds: left))
            #expect(upstream.requests.count == 2)
            rig.clock.advance(by: .seconds(left))
            #expect(try await client.text("/c") == "{}")
        }
    }

    @Test func theUseOfTheDaysBudgetIsKnownAfterARestart() async throws {
        let store = try ResponseStore()
        try await withUpstream { upstream in
            upstream.on("GET", "/a", .json("{}"))
            let rig = try UpstreamFixture(upstream, store: store)
            let client = rig.client(budget: .universal(5))
            #expect(try await client.usage().requests == 0)
            _ = try await client.text("/a")
            let used = try await UpstreamFixture(upstream, store: store).client(budget: .universal(5)).usage()
            #expect(used.requests == 1 && used.limit == 5 && !used.isKeyRefused && used.pauseSeconds == nil)
            let unlimited = try await rig.client().usage()
            #expect(unlimited.requests == nil && unlimited.limit == nil)
        }
    }

    @Test func withASpentBudgetStaleResponsesAreServed() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/a", .json("{}"))
            let rig = try UpstreamFixture(upstream)
            let client = rig.client(budget: .universal(1))
            _ = try await client.text("/a")
            rig.clock.advance(by: .seconds(3601))
            #expect(try await client.text("/a") == "{}")
            try await client.settle()
            #expect(try await client.text("/a") == "{}")
            #expect(upstream.requests.count == 1)
        }
    }
}

import FoundationEssentials
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import UpstreamClient

@Suite("Stored responses of upstreams")
struct UpstreamCacheTests {
    @Test func aSecondCallRequestsAndDecodesNothing() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json(#"{"a":1}"#))
            let client = try UpstreamFixture(upstream).client()
            let decoded = Counter()
            for _ in 0..<3 {
                let text = try await client.text("/film", query: [("b", "2"), ("a", "1")], decoded: decoded)
                #expect(text == #"{"a":1}"#)
            }
            let reordered = try await client.text("/film", query: [("a", "1"), ("b", "2")], decoded: decoded)
            #expect(reordered == #"{"a":1}"#)
            #expect(upstream.requestCount(to: "/film") == 1)
            #expect(decoded.value == 1)
        }
    }

    @Test func otherParametersAndOtherLanguagesAreOtherAnswers() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json("{}"))
            let client = try UpstreamFixture(upstream).client()
            _ = try await client.text("/film", query: [("q", "a")], language: .korean)
            _ = try await client.text("/film", query: [("q", "a&b")], language: .korean)
            _ = try await client.text("/film", query: [("q", "a")], language: .english)
            _ = try await client.text("/film", query: [("q", "a")])
            #expect(upstream.requestCount(to: "/film") == 4)
            #expect(upstream.requests[1].query["q"] == "a&b")
        }
    }

    @Test func aPartOfAnAnswerIsStoredAndConfirmedAsSuch() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film") { request in
                request.headers["if-none-match"] == #""1""#
                    ? .status(304) : .json(#"{"a":1,"rest":"…"}"#, headers: [("ETag", #""1""#)])
            }
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            let request = UpstreamRequest("/film", reduce: { answer in Array(answer.body.prefix(6)) })
            let text: @Sendable (UpstreamResponse) throws -> String = { String(decoding: $0.body, as: UTF8.self) }
            #expect(try await client.get(request, decode: text) == #"{"a":1"#)
            #expect(try await client.get(UpstreamRequest("/film"), decode: text) == #"{"a":1,"rest":"…"}"#)
            rig.clock.advance(by: .seconds(3601))
            for _ in 0..<2 {
                #expect(try await client.get(request, decode: text) == #"{"a":1"#)
                try await client.settle()
            }
            #expect(upstream.requests.map { $0.headers["if-none-match"] } == [nil, nil, #""1""#])
        }
    }

    @Test func anAnswerWithoutThePartIsAFailure() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json("{}"))
            let client = try UpstreamFixture(upstream).client()
            let request = UpstreamRequest("/film", reduce: { _ in throw UnreadableResponse(reason: "has no part") })
            await #expect(throws: SourceFailure.badAnswer(.tmdb, reason: "the response has no part")) {
                try await client.get(request) { _ in true }
            }
        }
    }

    @Test func answersOutliveTheClientWithoutItsKey() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/answers.sqlite"
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json(#"{"film":"kept"}"#))
            for _ in 0..<2 {
                let store = try ResponseStore(path: path)
                let client = try UpstreamFixture(upstream, store: store).client()
                #expect(try await client.text("/film") == #"{"film":"kept"}"#)
                try store.close()
            }
            #expect(upstream.requestCount(to: "/film") == 1)
            #expect(upstream.requests[0].query["api_key"] == UpstreamFixture.key)
        }
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        #expect(bytes.firstRange(of: Array("kept".utf8)) != nil)
        #expect(bytes.firstRange(of: Array(UpstreamFixture.key.utf8)) == nil)
    }

    @Test func whatIsStaleIsConfirmed() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film") { request in
                request.headers["if-none-match"] == #""1""#
                    ? .status(304) : .json(#"{"a":1}"#, headers: [("ETag", #""1""#)])
            }
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            let decoded = Counter()
            _ = try await client.text("/film", decoded: decoded)
            rig.clock.advance(by: .seconds(3601))
            #expect(try await client.text("/film", decoded: decoded) == #"{"a":1}"#)
            try await client.settle()
            rig.clock.advance(by: .seconds(3599))
            #expect(try await client.text("/film", decoded: decoded) == #"{"a":1}"#)
            #expect(upstream.requestCount(to: "/film") == 2)
            #expect(upstream.requests.last?.headers["if-none-match"] == #""1""#)
        }
    }

    @Test(
        arguments: [
            ("max-age=7200", 7199, 7201), ("public, max-age=1", 59, 61), ("max-age=9999999", 86_399, 86_401),
            ("no-cache", 59, 61), ("s-maxage=300, max-age=7200", 299, 301), ("private", 3599, 3601),
            ("max-age=soon", 59, 61), ("max-age=99999999999999999999", 86_399, 86_401),
        ])
    func theUpstreamSaysHowLongWithinBounds(directives: String, fresh: Int, stale: Int) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json("{}", headers: [("Cache-Control", directives)]))
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(fresh))
            _ = try await client.text("/film")
            #expect(upstream.requestCount(to: "/film") == 1)
            rig.clock.advance(by: .seconds(stale - fresh))
            _ = try await client.text("/film")
            try await client.settle()
            #expect(upstream.requestCount(to: "/film") == 2)
        }
    }

    @Test func whatMayNotBeKeptIsNotKept() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json("{}", headers: [("Cache-Control", "no-store")]))
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            _ = try await client.text("/film")
            _ = try await client.text("/film")
            #expect(upstream.requestCount(to: "/film") == 2)
            var lifetimes = UpstreamLifetimes()
            lifetimes.respectsCacheControl = false
            let stubborn = rig.client(lifetimes: lifetimes)
            _ = try await stubborn.text("/film")
            _ = try await stubborn.text("/film")
            #expect(upstream.requestCount(to: "/film") == 3)
        }
    }

    @Test func whatMayNoLongerBeKeptReplacesWhatWasKept() async throws {
        try await withUpstream { upstream in
            let second = OriginScript.json(#"{"a":2}"#, headers: [("Cache-Control", "no-store")])
            upstream.on("GET", "/film", inTurn: [.json(#"{"a":1}"#), second])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client()
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(3601))
            #expect(try await client.text("/film") == #"{"a":1}"#)
            try await client.settle()
            #expect(try await client.text("/film") == #"{"a":2}"#)
            #expect(upstream.requestCount(to: "/film") == 3)
        }
    }

    @Test func thatThereIsNoSuchThingIsRememberedBriefly() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json("{}", status: 404))
            let rig = try UpstreamFixture(upstream)
            let client = rig.client { $0.status == 404 ? .missing : .byStatus }
            for _ in 0..<3 { #expect(try await client.text("/film") == nil) }
            #expect(upstream.requestCount(to: "/film") == 1)
            upstream.on("GET", "/film", .json(#"{"new":1}"#))
            rig.clock.advance(by: .seconds(301))
            #expect(try await client.text("/film") == #"{"new":1}"#)
        }
    }

    @Test func theClassifierDecidesWhatA200Is() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/fault", .json(#"{"faultInfo":1}"#))
            upstream.on("GET", "/none", .json(#"{"Response":"False"}"#))
            upstream.on("GET", "/empty", .json(#"{"resultCount":0}"#))
            let rig = try UpstreamFixture(upstream)
            let client = rig.client { answer in
                let text = String(decoding: answer.body, as: UTF8.self)
                if text.contains("faultInfo") { return .failure(.keyRefused(.tmdb)) }
                if text.contains("False") { return .missing }
                return text.contains("resultCount") ? .uncertain : .byStatus
            }
            for _ in 0..<2 {
                #expect(await client.failure("/fault") == .keyRefused(.tmdb))
                #expect(try await client.text("/none") == nil)
                #expect(try await client.text("/empty") == #"{"resultCount":0}"#)
            }
            #expect(upstream.requestCount(to: "/fault") == 2)
            #expect(upstream.requestCount(to: "/none") == 1)
            #expect(upstream.requestCount(to: "/empty") == 1)
            rig.clock.advance(by: .seconds(30))
            #expect(try await client.text("/empty") == #"{"resultCount":0}"#)
            #expect(upstream.requestCount(to: "/empty") == 2, "it is remembered for a moment only")
        }
    }

    @Test func aBadResponseIsNeitherStoredNorReturned() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.html(), .json(#"{"a":1}"#)])
            let client = try UpstreamFixture(upstream).client()
            #expect(await client.failure("/film") == .badAnswer(.tmdb, reason: "the response is not a JSON object"))
            #expect(try await client.text("/film") == #"{"a":1}"#)
        }
    }

    @Test func afterSixMonthsNothingIsServed() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json("{}"), .status(500)])
            let rig = try UpstreamFixture(upstream)
            var lifetimes = UpstreamLifetimes()
            lifetimes.stale = .seconds(1000 * 86_400)
            let client = rig.client(lifetimes: lifetimes)
            _ = try await client.text("/film")
            rig.clock.advance(by: .seconds(179 * 86_400))
            #expect(try await client.text("/film") == "{}")
            try await client.settle()
            rig.clock.advance(by: .seconds(2 * 86_400))
            #expect(await client.failure("/film") == .unavailable(.tmdb, reason: "status 500"))
            let key = UpstreamRequest("/film").cacheKey
            let kept = try await rig.store?.response(of: .tmdb, for: key, at: rig.clock.now())
            #expect(kept == nil)
        }
    }
}

import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite("Methods, bodies and error bodies")
struct MethodTests {
    private let json = FetchBody(Array(#"{"value":8.5}"#.utf8), contentType: "application/json;charset=utf-8")

    private func fetch(
        _ fetcher: Fetcher, _ url: String, _ method: FetchMethod, _ body: FetchBody? = nil, keeping bytes: Int = 100
    ) async throws -> (FetchResponse, [UInt8]) {
        let sink = MemorySink()
        let request = FetchRequest(url: url, method: method, body: body, errorBodyLimit: bytes)
        let response = try await fetcher.fetch(request, into: sink)
        return (response, sink.bytes)
    }

    @Test(arguments: [FetchMethod.post, .put, .delete])
    func aBodyIsSentWithItsTypeAndTheResponseIsReturned(method: FetchMethod) async throws {
        try await withOrigin { origin in
            origin.on("/rating", .answer(status: 201, body: "done".bytes))
            let (response, bytes) = try await self.fetch(makeFetcher(), origin.url("/rating"), method, self.json)
            #expect((response.status, response.receivedByteCount) == (201, 4))
            #expect(bytes == "done".bytes)
            let request = try #require(origin.requests(to: "/rating").first)
            #expect(request.method == method.rawValue)
            #expect(request.body == self.json.bytes)
            #expect(request.headers["content-type"] == self.json.contentType)
            #expect(request.headers["content-length"] == "13")
            #expect(request.headers["expect"] == nil)
        }
    }

    @Test(arguments: [(FetchMethod.post, "0" as String?), (.put, "0"), (.delete, nil)])
    func nothingIsSentAsNothing(method: FetchMethod, length: String?) async throws {
        try await withOrigin { origin in
            origin.on("/x", .answer(body: "ok".bytes))
            let (response, bytes) = try await self.fetch(makeFetcher(), origin.url("/x"), method)
            #expect(response.status == 200)
            #expect(bytes == "ok".bytes)
            let request = try #require(origin.requests(to: "/x").first)
            #expect(request.method == method.rawValue)
            #expect(request.headers["content-length"] == length)
        }
    }

    @Test func aBodyOfAMegabyteIsSentAtOnce() async throws {
        try await withOrigin { origin in
            origin.on("/x", .answer(body: []))
            let body = FetchBody([UInt8](repeating: 7, count: 2 << 20), contentType: "application/octet-stream")
            _ = try await self.fetch(makeFetcher(), origin.url("/x"), .post, body)
            #expect(origin.requests(to: "/x").first?.body.count == 2 << 20)
        }
    }

    @Test(arguments: [FetchMethod.post, .put, .delete])
    func whatMayHaveArrivedIsNotSentAgain(method: FetchMethod) async throws {
        try await withOrigin { origin in
            origin.on("/cut", OriginScript([.close]))
            origin.on("/503", .status(503))
            origin.on("/429", .status(429))
            let fetcher = try makeFetcher()
            await #expect(throws: FetchError.truncated) {
                _ = try await self.fetch(fetcher, origin.url("/cut"), method)
            }
            _ = try await self.fetch(fetcher, origin.url("/503"), method)
            _ = try await self.fetch(fetcher, origin.url("/429"), method)
            #expect(origin.requests.map(\.path) == ["/cut", "/503", "/429"])
        }
    }

    @Test func whatCannotHaveArrivedIsSentAgain() async throws {
        let timing = ManualTiming()
        let port = try FreePort.find()
        let fetcher = try makeFetcher(timing: timing.timing()) { $0.retry.baseDelay = .milliseconds(1) }
        await #expect(throws: FetchError.self) {
            _ = try await self.fetch(fetcher, "http://127.0.0.1:\(port)/", .post, self.json)
        }
        #expect(timing.pauses.count == 2)
    }

    @Test func aKeptConnectionIsNotUsedForWhatIsSentOnce() async throws {
        try await withOrigin { origin in
            origin.on("/get", .answer(body: "a".bytes))
            origin.on("/post", .answer(body: "b".bytes))
            let fetcher = try makeFetcher()
            try await fetcher.get(origin.url("/get"))
            _ = try await self.fetch(fetcher, origin.url("/post"), .post, self.json)
            #expect(origin.acceptedConnectionCount == 2)
        }
    }

    @Test func redirectsOfWhatIsSentAreAnswers() async throws {
        try await withOrigin { origin in
            origin.on("/a", .redirect(to: "/b", status: 307))
            let (response, _) = try await self.fetch(makeFetcher(), origin.url("/a"), .post, self.json)
            #expect(response.status == 307)
            #expect(origin.requestCount(to: "/b") == 0)
        }
    }

    @Test func errorBodiesAreKeptAsFarAsIsWanted() async throws {
        try await withOrigin { origin in
            origin.on("/401", .answer(status: 401, body: "0123456789".bytes))
            origin.on("/huge", .answer(status: 404, body: [UInt8](repeating: 1, count: 300_000)))
            origin.on("/moved", .redirect(to: "/401"))
            let fetcher = try makeFetcher()
            for (path, limit, expected) in [
                ("/401", 100, "0123456789"), ("/401", 4, "0123"), ("/401", 0, ""), ("/moved", 100, "0123456789"),
            ] {
                let (response, bytes) = try await self.fetch(fetcher, origin.url(path), .get, keeping: limit)
                #expect(response.status == 401)
                #expect(bytes == expected.bytes)
                #expect(response.receivedByteCount == expected.utf8.count)
            }
            let (response, bytes) = try await self.fetch(fetcher, origin.url("/huge"), .get, keeping: 1000)
            #expect((response.status, bytes.count) == (404, 1000))
        }
    }

    @Test func anErrorBodyIsForgottenWhenTheNextAttemptIsGood() async throws {
        try await withOrigin { origin in
            origin.on("/x", inTurn: [.answer(status: 503, body: "sorry".bytes), .answer(body: "good".bytes)])
            let (response, bytes) = try await self.fetch(makeFetcher(), origin.url("/x"), .get)
            #expect((response.status, bytes) == (200, "good".bytes))
        }
    }

    @Test func nothingOfWhatIsSentIsShown() throws {
        let request = FetchRequest(
            url: "https://h.test/p?api_key=secret", method: .post,
            body: FetchBody("secret".bytes, contentType: "text/plain"), credentials: [("Authorization", "secret")])
        let read = try ValidatedRequest(request)
        #expect("\(request)" == "POST https://h.test/p with credentials (Authorization)")
        #expect("\(read)" == "POST https://h.test/p")
        var dumped = ""
        dump(request, to: &dumped)
        dump(read, to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}

@Suite("Rates below one a second")
struct SlowRateTests {
    @Test func anAttemptDueAfterTheDeadlineIsRefusedAtOnce() async throws {
        let timing = ManualTiming()
        var manual = timing.timing()
        manual.waitForDeadline = { _ in try await Gate().wait() }
        try await withOrigin { origin in
            origin.on("/x", .answer(body: "a".bytes))
            let fetcher = try makeFetcher(timing: manual) {
                $0.originLimits = .itunes
                $0.originLimits.requestsPerSecond = 1 / 64
                $0.totalTimeout = .seconds(40)
            }
            for _ in 0..<5 { try await fetcher.get(origin.url("/x")) }
            // The next turn is 64 s after the first five.
            await #expect(throws: FetchError.overloaded(retryAfter: .seconds(64))) {
                try await fetcher.get(origin.url("/x"))
            }
            #expect(timing.pauses == [])
            #expect(origin.requestCount(to: "/x") == 5)
            timing.clock.advance(by: .seconds(40))
            try await fetcher.get(origin.url("/x"))
            #expect(timing.pauses == [.seconds(24)])
        }
    }

    @Test func iTunesHasARateAndABurstOfItsOwn() {
        let limits = FetchConfiguration().limits(forHost: "itunes.apple.com")
        #expect(limits.burst == 5)
        #expect(limits.requestsPerSecond.map { Int(($0 * 60).rounded()) } == 20)
        #expect(FetchConfiguration().limits(forHost: "api.themoviedb.org").burst == 8)
    }
}

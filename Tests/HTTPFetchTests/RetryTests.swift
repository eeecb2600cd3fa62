import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct RetryTests {
    @Test("a status that may pass is tried again", arguments: [429, 500, 502, 503, 504])
    func status(_ status: Int) async throws {
        try await withOrigin { origin in
            origin.on("/", inTurn: [.status(status), .status(status), .image([1])])
            let fetcher = try makeFetcher()
            let (response, bytes) = try await fetcher.get(origin.url("/"))
            #expect(response.status == 200)
            #expect(bytes == [1])
            let totals = try #require(fetcher.origins.first).totals
            #expect((totals.attempts, totals.retries, totals.successes, totals.failures) == (3, 2, 1, 0))
        }
    }

    @Test func theLastAnswerIsTheOutcome() async throws {
        try await withOrigin { origin in
            origin.on("/", inTurn: [.status(502), .status(500), .status(504), .image([1])])
            let fetcher = try makeFetcher()
            #expect(try await fetcher.get(origin.url("/")).0.status == 504)
            #expect(origin.requestCount(to: "/") == 3)
            #expect(fetcher.origins.first?.totals.failures == 1)
        }
    }

    @Test("another status is not", arguments: [304, 400, 404, 410, 501])
    func otherStatus(status: Int) async throws {
        try await withOrigin { origin in
            origin.on("/", .status(status))
            let (response, _) = try await makeFetcher().get(origin.url("/"))
            #expect(response.status == status)
            #expect(origin.requestCount(to: "/") == 1)
        }
    }

    @Test(
        "a connection that breaks is tried again, and the sink begins anew",
        arguments: [
            OriginScript([.close]), OriginScript([.reset]), OriginScript([.length(10), .bytes([9, 9]), .reset]),
            .closeEarly(declared: 10, sent: [9, 9]), .chunked([[9], [9]], isComplete: false),
        ]
    )
    func broken(script: OriginScript) async throws {
        try await withOrigin { origin in
            origin.on("/", inTurn: [script, .image([1, 2, 3])])
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == [1, 2, 3])
            #expect(response.receivedByteCount == 3)
            #expect(origin.requests(to: "/").allSatisfy { $0.headers["range"] == nil })
        }
    }

    @Test func aRefusedConnectionIsTriedAgain() async throws {
        let origin = try await OriginServer.start()
        await origin.shutdown()
        let fetcher = try makeFetcher()
        await #expect(throws: FetchError.self) { try await fetcher.get(origin.url("/")) }
        #expect(fetcher.origins.first?.totals.attempts == 3)
    }

    @Test func anUnknownNameIsNot() async throws {
        let fetcher = try makeFetcher()
        await #expect(throws: FetchError.resolutionFailed) { try await fetcher.get("http://retry.unknown.test/") }
        #expect(fetcher.origins.first?.totals.attempts == 1)
        #expect(fetcher.origins.first?.consecutiveFailures == 0, "whose fault it is nobody knows")
    }

    @Test func aSinkThatRefusesIsNot() async throws {
        final class Refusing: FetchSink {
            func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
        }
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let fetcher = try makeFetcher()
            await #expect(throws: FetchError.sinkFailed) {
                try await fetcher.fetch(FetchRequest(url: origin.url("/")), into: Refusing())
            }
            #expect(origin.requestCount(to: "/") == 1)
        }
    }

    @Test func theTotalTimeoutIsNotExceeded() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(502))
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing()) {
                $0.retry.baseDelay = .seconds(60)
                $0.retry.maxDelay = .seconds(60)
            }
            #expect(try await fetcher.get(origin.url("/")).0.status == 502)
            #expect(origin.requestCount(to: "/") == 1)
            #expect(manual.pauses.isEmpty)
        }
    }

    @Test func thePausesDoubleAndAreLeftToChance() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(502))
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing(random: 0.5)) { $0.retry = RetryPolicy() }
            try await fetcher.get(origin.url("/"))
            #expect(manual.pauses == [.milliseconds(100), .milliseconds(200)])
        }
        var policy = RetryPolicy()
        policy.maxDelay = .milliseconds(500)
        #expect((0...3).map { policy.delay(after: $0, random: 1) / .milliseconds(1) } == [200, 400, 500, 500])
        #expect(policy.delay(after: 3, random: 0) == .zero)
    }

    @Test func aFetchIsCancelledInAPause() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(502))
            let (isPausing, never) = (Gate(), Gate())
            var timing = FetchTiming()
            timing.sleep = { _ in
                isPausing.open()
                try await never.wait()
            }
            let fetcher = try makeFetcher(timing: timing)
            let task = Task { try await fetcher.get(origin.url("/")) }
            try await isPausing.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}

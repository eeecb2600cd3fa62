import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct OriginBreakerTests {
    @Test func anOriginThatFailsIsLeftAloneAndAskedAgain() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(500))
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing())
            for _ in 0..<5 { try await fetcher.get(origin.url("/")) }
            #expect(origin.requestCount(to: "/") == 15, "fetches are counted, not attempts")

            await #expect(throws: FetchError.circuitOpen(retryAfter: .seconds(30))) {
                try await fetcher.get(origin.url("/"))
            }
            #expect(origin.requestCount(to: "/") == 15)
            let state = try #require(fetcher.origins.first)
            #expect(state.name == "http://127.0.0.1:\(origin.port)")
            #expect(state.breaker == .open(remaining: .seconds(30)))
            #expect((state.consecutiveFailures, state.totals.failures) == (5, 5))

            manual.clock.advance(by: .seconds(30))
            origin.on("/", .image([1]))
            #expect(fetcher.origins.first?.breaker == .halfOpen)
            try await fetcher.get(origin.url("/"))
            #expect(fetcher.origins.first?.breaker == .closed)
        }
    }

    @Test func aProbeThatIsCancelledIsNone() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(500))
            origin.on("/hangs", .hangBeforeHeaders)
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing()) { $0.breaker.threshold = 1 }
            try await fetcher.get(origin.url("/"))
            manual.clock.advance(by: .seconds(30))
            let probe = Task { try await fetcher.get(origin.url("/hangs")) }
            try await origin.requestsArrived(at: "/hangs")
            await #expect(throws: FetchError.circuitOpen(retryAfter: BreakerPolicy.probeWait)) {
                try await fetcher.get(origin.url("/"))
            }
            probe.cancel()
            _ = await probe.result
            origin.on("/", .image([1]))
            #expect(try await fetcher.get(origin.url("/")).0.status == 200)
        }
    }

    @Test func whatIsNotTheOriginsFaultDoesNotCount() async throws {
        try await withOrigin { origin in
            origin.on("/large", .image([1, 2, 3]))
            let fetcher = try makeFetcher {
                $0.breaker.threshold = 1
                $0.maxBytes = 2
            }
            for _ in 0..<3 {
                try await fetcher.get(origin.url("/missing"))
                await #expect(throws: FetchError.tooLarge(limit: 2)) { try await fetcher.get(origin.url("/large")) }
            }
            #expect(fetcher.origins.first?.totals.failures == 0)
        }
    }
}

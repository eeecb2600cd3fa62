import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct CircuitBreakerTests {
    private let second: UInt64 = 1_000_000_000

    @Test func itOpensAfterFailuresInARowOnly() {
        var breaker = CircuitBreaker(BreakerPolicy())
        for outcome in [.failure, .failure, .failure, .failure, .success] as [CircuitBreaker.Outcome] {
            breaker.record(outcome, of: breaker.admit(), at: 0)
        }
        for _ in 0..<4 { breaker.record(.failure, of: breaker.admit(), at: 0) }
        breaker.record(.ignored, of: breaker.admit(), at: 0)
        #expect(breaker.state(at: 0) == .closed)
        breaker.record(.failure, of: breaker.admit(), at: 0)
        #expect(breaker.state(at: 0) == .open(remaining: .seconds(30)))
        #expect(breaker.refusal(at: 10 * self.second) == .seconds(20))
    }

    @Test func oneProbeDecides() {
        var breaker = self.openBreaker()
        let later = 30 * self.second
        #expect(breaker.state(at: later) == .halfOpen)
        #expect(breaker.refusal(at: later) == nil)
        let probe = breaker.admit()
        #expect(breaker.refusal(at: later) == BreakerPolicy.probeWait, "others do not probe")
        breaker.record(.success, of: probe, at: later)
        #expect(breaker.state(at: later) == .closed)
        #expect(breaker.consecutiveFailures == 0)
    }

    @Test func eachProbeThatFailsDoublesTheTime() {
        var breaker = self.openBreaker()
        var now: UInt64 = 0
        var durations: [Duration] = []
        for _ in 0..<6 {
            guard case .open(let remaining) = breaker.state(at: now) else { break }
            durations.append(remaining)
            now += remaining.nanoseconds
            breaker.record(.failure, of: breaker.admit(), at: now)
        }
        #expect(durations == [30, 60, 120, 240, 300, 300].map { .seconds($0) })
    }

    @Test func aDurationBeyondTheLongestStaysAsItIs() {
        var policy = BreakerPolicy()
        (policy.threshold, policy.duration, policy.maxDuration) = (1, .seconds(60), .seconds(30))
        var breaker = CircuitBreaker(policy)
        for now in [0, 60] as [UInt64] {
            breaker.record(.failure, of: breaker.admit(), at: now * self.second)
            #expect(breaker.state(at: now * self.second) == .open(remaining: .seconds(60)))
        }
    }

    @Test func afterAnIgnoredProbeTheNextFetchProbes() {
        var breaker = self.openBreaker()
        let later = 30 * self.second
        breaker.record(.ignored, of: breaker.admit(), at: later)
        #expect(breaker.refusal(at: later) == nil)
        breaker.record(.success, of: breaker.admit(), at: later)
        #expect(breaker.state(at: later) == .closed)
    }

    @Test func outcomesOfFetchesFromBeforeItOpenedDoNotCount() {
        var breaker = CircuitBreaker(BreakerPolicy())
        let (slow, slower) = (breaker.admit(), breaker.admit())
        for _ in 0..<5 { breaker.record(.failure, of: breaker.admit(), at: 0) }
        breaker.record(.success, of: slow, at: 0)
        breaker.record(.failure, of: slower, at: 0)
        #expect(breaker.state(at: 0) == .open(remaining: .seconds(30)))
    }

    @Test func aThresholdOfZeroNeverOpens() {
        var policy = BreakerPolicy()
        policy.threshold = 0
        var breaker = CircuitBreaker(policy)
        for _ in 0..<50 { breaker.record(.failure, of: breaker.admit(), at: 0) }
        #expect(breaker.state(at: 0) == .closed)
    }

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

    private func openBreaker() -> CircuitBreaker {
        var breaker = CircuitBreaker(BreakerPolicy())
        for _ in 0..<5 { breaker.record(.failure, of: breaker.admit(), at: 0) }
        return breaker
    }
}

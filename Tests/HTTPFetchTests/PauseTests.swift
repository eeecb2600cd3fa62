import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

/// An origin that requested a pause, and fetches that were admitted before.
@Suite(.timeLimit(.hang)) struct PauseTests {
    private let busy = OriginScript.answer(status: 503, headers: [("Retry-After", "60")])

    @Test func aFetchThatWaitsForAConnectionIsRefused() async throws {
        try await withOrigin { origin in
            let (gate, isRefused) = (Gate(), Gate())
            origin.on("/busy", OriginScript([.wait(gate)] + self.busy.steps))
            origin.on("/", OriginScript([.wait(isRefused), .length(0)]))
            let fetcher = try makeFetcher(timing: ManualTiming().timing()) { $0.originLimits.maxConnections = 1 }
            let first = Task { try await fetcher.get(origin.url("/busy")) }
            try await origin.requestsArrived(at: "/busy")
            let others = (0..<3).map { _ in Task { try await fetcher.get(origin.url("/")) } }
            try await eventually { fetcher.origins.first?.totals.attempts == 4 }
            gate.open()
            let (response, _) = try await first.value
            #expect(response.status == 503)
            isRefused.open()
            // One fetch may have got the connection before the Retry-After was read.
            var refusedCount = 0
            for other in others {
                if case .failure(let error) = await other.result {
                    #expect(error as? FetchError == .originPaused(retryAfter: .seconds(60)))
                    refusedCount += 1
                }
            }
            #expect(refusedCount >= 2)
        }
    }

    @Test func aHopIsRefusedJustBeforeItBegins() throws {
        let (manual, key) = (ManualTiming(), Origin.Key(scheme: "http", host: "a.test", port: 80))
        let origin = Origin(key, configuration: FetchConfiguration(), timing: manual.timing())
        let exposure = OriginTransferTime(origin)
        let (url, elsewhere) = (try FetchURL.requested("http://a.test/"), try FetchURL.requested("http://b.test/"))
        #expect(exposure.recordStart(of: url) == nil)
        origin.pause(for: .seconds(10))
        #expect(exposure.recordStart(of: url) == .originPaused(retryAfter: .seconds(10)))
        #expect(exposure.recordStart(of: elsewhere) == nil, "where a redirect leads has not asked for it")
        manual.clock.advance(by: .seconds(10))
        #expect(exposure.recordStart(of: url) == nil)
    }

    @Test func anAttemptThatWaitsForTheRateIsRefused() async throws {
        var configuration = FetchConfiguration()
        (configuration.originLimits.requestsPerSecond, configuration.originLimits.burst) = (1, 1)
        let (isAsleep, gate) = (Gate(), Gate())
        var timing = FetchTiming()
        timing.now = ManualClock().now
        timing.sleep = { _ in
            isAsleep.open()
            try await gate.wait()
        }
        let key = Origin.Key(scheme: "http", host: "a.test", port: 80)
        let origin = Origin(key, configuration: configuration, timing: timing)
        try await origin.waitForRate(atMost: .seconds(5))
        let sleeper = Task { try await origin.waitForRate(atMost: .seconds(5)) }
        try await isAsleep.wait()
        origin.pause(for: .seconds(60))
        gate.open()
        await #expect(throws: FetchError.originPaused(retryAfter: .seconds(60))) { try await sleeper.value }
    }

    @Test func aRefusedRetryYieldsTheAttemptBeforeIt() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(502))
            origin.on("/busy", self.busy)
            let (isPausing, gate) = (Gate(), Gate())
            var timing = FetchTiming()
            timing.sleep = { _ in
                isPausing.open()
                try await gate.wait()
            }
            let fetcher = try makeFetcher(timing: timing)
            let task = Task { try await fetcher.get(origin.url("/")) }
            try await isPausing.wait()
            try await fetcher.get(origin.url("/busy"))
            gate.open()
            #expect(try await task.value.0.status == 502)
            #expect(origin.requestCount(to: "/") == 1)
        }
    }

    @Test func soDoesARetryThatTheRateDelaysForTooLong() async throws {
        try await withOrigin { origin in
            origin.on("/", .closeEarly(declared: 2, sent: [1]))
            let fetcher = try makeFetcher(timing: ManualTiming().timing()) {
                ($0.originLimits.requestsPerSecond, $0.originLimits.burst) = (0.01, 1)
            }
            await #expect(throws: FetchError.truncated) { try await fetcher.get(origin.url("/")) }
            #expect(origin.requestCount(to: "/") == 1)
            #expect(fetcher.origins.first?.totals.failures == 1)
        }
    }

    @Test func withTooLittleTimeThereIsNoRetry() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(502))
            var timing = ManualClock().timing
            let never = Gate()
            timing.waitForDeadline = { _ in try await never.wait() }
            for (milliseconds, count) in [(99, 1), (100, 4)] {
                let fetcher = try makeFetcher(timing: timing) { $0.totalTimeout = .milliseconds(milliseconds) }
                #expect(try await fetcher.get(origin.url("/")).0.status == 502)
                #expect(origin.requestCount(to: "/") == count)
            }
        }
    }
}

import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct OriginRateTests {
    @Test("a rate that is none is a slow one", arguments: [0, -1, .nan])
    func badRate(rate: Double) {
        var limits = OriginLimits()
        limits.requestsPerSecond = rate
        limits.burst = 1
        #expect(limits.rateLimit == RateLimit(interval: 1_000_000_000_000_000, burst: 1))
    }

    @Test func ratesAndBurstsAreWhatIsConfigured() {
        var limits = OriginLimits()
        #expect(limits.rateLimit.interval == 0)
        limits.requestsPerSecond = 20
        limits.burst = 5
        #expect(limits.rateLimit == RateLimit(interval: 50_000_000, burst: 5))
    }

    @Test func attemptsWaitForTheirTurn() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let manual = ManualTiming()
            let fetcher = try makeFetcher(timing: manual.timing()) {
                $0.originLimits.requestsPerSecond = 10
                $0.originLimits.burst = 2
            }
            for _ in 0..<4 { try await fetcher.get(origin.url("/")) }
            #expect(manual.pauses == [.milliseconds(100), .milliseconds(100)])
        }
    }

    @Test func anAttemptDueDuringAPauseIsDelayed() async throws {
        let manual = ManualTiming()
        var limits = FetchConfiguration()
        limits.originLimits.requestsPerSecond = 1
        limits.originLimits.burst = 1
        let (isAsleep, gate) = (Gate(), Gate())
        var timing = manual.timing()
        // Advances the manual clock without waiting.
        let moveClock = timing.sleep
        timing.sleep = { duration in
            isAsleep.open()
            try await gate.wait()
            try await moveClock(duration)
        }
        let key = Origin.Key(scheme: "http", host: "a.test", port: 80)
        let origin = Origin(key, configuration: limits, timing: timing)
        try await origin.waitForRate(atMost: .seconds(60))
        let sleeper = Task { try await origin.waitForRate(atMost: .seconds(60)) }
        try await isAsleep.wait()
        origin.rest(for: .seconds(10))
        gate.open()
        try await sleeper.value
        #expect(manual.pauses == [.seconds(1), .seconds(9)])
        await #expect(throws: FetchError.overloaded(retryAfter: .seconds(1)), "one a second, after it too") {
            try await origin.waitForRate(atMost: .milliseconds(900))
        }
    }

    @Test func anAttemptThatTheRateDelaysForTooLongIsRefusedAtOnce() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let fetcher = try makeFetcher(timing: ManualTiming().timing()) {
                $0.originLimits.requestsPerSecond = 0.01
                $0.originLimits.burst = 1
            }
            try await fetcher.get(origin.url("/"))
            await #expect(throws: FetchError.overloaded(retryAfter: .seconds(100))) {
                try await fetcher.get(origin.url("/"))
            }
        }
    }

    @Test func theLimitsOfTMDBAreTheDefaultAndCanBeReplaced() {
        var configuration = FetchConfiguration()
        for host in ["api.themoviedb.org", "image.tmdb.org"] {
            #expect(configuration.limits(forHost: host) == .tmdb)
        }
        configuration.originLimits.maxConnections = 2
        #expect(configuration.limits(forHost: "image.tmdb.org").maxConnections == 2, "only the rate is preset")
        #expect(configuration.limits(forHost: "image.tmdb.org").requestsPerSecond == 40)
        configuration.originLimits.requestsPerSecond = 5
        #expect(configuration.limits(forHost: "image.tmdb.org").requestsPerSecond == 5)
        configuration.originLimits.requestsPerSecond = 1000
        #expect(
            configuration.limits(forHost: "image.tmdb.org").requestsPerSecond == 40, "what is general lifts nothing")
        #expect(configuration.limits(forHost: "itunes.apple.com").requestsPerSecond == 20.0 / 60)
        #expect(OriginLimits.tmdb.requestsPerSecond == 40)
        #expect(configuration.limits(forHost: "example.com") == configuration.originLimits)
        configuration.originLimitsByHost["image.tmdb.org"] = OriginLimits()
        #expect(configuration.limits(forHost: "image.tmdb.org").requestsPerSecond == nil)
        configuration.originLimitsByHost["image.tmdb.org:8080"] = .itunes
        #expect(configuration.limits(forHost: "image.tmdb.org", port: 8080) == .itunes)
        #expect(configuration.limits(forHost: "image.tmdb.org", port: 443) == OriginLimits())
    }
}

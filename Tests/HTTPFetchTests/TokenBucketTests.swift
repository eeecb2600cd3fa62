import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.minutes(1))) struct TokenBucketTests {
    private let second: UInt64 = 1_000_000_000

    @Test func aBurstThenAnEvenPace() {
        var bucket = makeBucket(rate: 2, burst: 3)
        #expect(self.waits(&bucket, 5) == [0, 0, 0, 0.5, 1])
        // After 1.5 seconds everything has been used that had been promised, and after a rest there is a burst again.
        #expect(self.waits(&bucket, 1, at: 3 * self.second / 2) == [0])
        #expect(self.waits(&bucket, 4, at: 100 * self.second) == [0, 0, 0, 0.5])
    }

    @Test func aTurnThatComesTooLateIsNotTaken() {
        var bucket = makeBucket(rate: 1, burst: 1)
        #expect(self.waits(&bucket, 2) == [0, 1])
        for _ in 0..<3 { #expect(bucket.take(at: 0, atMost: self.second) == .tooLate(2 * self.second)) }
        #expect(self.waits(&bucket, 1) == [2])
    }

    @Test func aTurnThatIsGivenBackIsTheNextOnes() {
        var bucket = makeBucket(rate: 1, burst: 1)
        #expect(self.waits(&bucket, 3) == [0, 1, 2])
        bucket.giveBack()
        #expect(self.waits(&bucket, 1) == [2])
    }

    @Test func givingATurnBackDoesNotEndARest() {
        var bucket = makeBucket(rate: 1, burst: 1)
        #expect(self.waits(&bucket, 3) == [0, 1, 2])
        bucket.rest(until: 10 * self.second)
        for _ in 0..<2 { bucket.giveBack() }
        #expect(self.waits(&bucket, 2) == [10, 11])
    }

    @Test func whoWaitsDuringARestTakesAnotherTurnAndThePaceIsEvenAfterIt() {
        var bucket = makeBucket(rate: 1, burst: 1)
        #expect(self.waits(&bucket, 4) == [0, 1, 2, 3])
        bucket.rest(until: 10 * self.second)
        // Each finds at its turn that there is a rest, and takes the next one.
        #expect((1...3).flatMap { self.waits(&bucket, 1, at: UInt64($0) * self.second) } == [9, 9, 9])
    }

    @Test func restingHoldsEverybodyAndThenThePaceIsEven() {
        var bucket = makeBucket(rate: 1, burst: 4)
        bucket.rest(until: 10 * self.second)
        #expect(self.waits(&bucket, 3) == [10, 11, 12])
    }

    @Test func withoutARateThereIsNoWaitButForARest() {
        var bucket = TokenBucket(OriginLimits())
        #expect(self.waits(&bucket, 3) == [0, 0, 0])
        bucket.rest(until: self.second)
        #expect(self.waits(&bucket, 2) == [1, 1])
        #expect(self.waits(&bucket, 2, at: self.second) == [0, 0])
    }

    @Test("a rate that is none is a slow one", arguments: [0, -1, .nan])
    func badRate(rate: Double) {
        var bucket = makeBucket(rate: rate, burst: 1)
        #expect(self.waits(&bucket, 2) == [0, 1e6])
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

    @Test func whoHasATurnBeforeTheEndOfARestTakesAnother() async throws {
        let manual = ManualTiming()
        var limits = FetchConfiguration()
        limits.originLimits.requestsPerSecond = 1
        limits.originLimits.burst = 1
        let (isAsleep, gate) = (Gate(), Gate())
        var timing = manual.timing()
        // Of the manual clock: it takes no time.
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

    @Test func anAttemptWhoseTurnComesTooLateIsRefusedAtOnce() async throws {
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

    @Test func theLimitsOfTMDBAreKnownAndCanBeReplaced() {
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

    private func makeBucket(rate: Double, burst: Int) -> TokenBucket {
        var limits = OriginLimits()
        limits.requestsPerSecond = rate
        limits.burst = burst
        return TokenBucket(limits)
    }

    /// In seconds.
    private func waits(_ bucket: inout TokenBucket, _ count: Int, at now: UInt64 = 0) -> [Double] {
        var waits: [Double] = []
        for _ in 0..<count {
            guard case .after(let wait) = bucket.take(at: now, atMost: .max) else { break }
            waits.append(Double(wait) / 1e9)
        }
        return waits
    }
}

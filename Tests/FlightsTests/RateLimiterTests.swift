import Flights
import Testing

struct RateLimiterTests {
    private let second: UInt64 = 1_000_000_000

    @Test func aBurstThenAnEvenPace() {
        var limiter = self.limiter(rate: 2, burst: 3)
        #expect(self.waits(&limiter, 5) == [0, 0, 0, 0.5, 1])
        // By 1.5 seconds all promised turns are used; after an idle period a burst is available again.
        #expect(self.waits(&limiter, 1, at: 3 * self.second / 2) == [0])
        #expect(self.waits(&limiter, 4, at: 100 * self.second) == [0, 0, 0, 0.5])
    }

    @Test func aTurnThatComesTooLateIsNotTaken() {
        var limiter = self.limiter(rate: 1, burst: 1)
        #expect(self.waits(&limiter, 2) == [0, 1])
        for _ in 0..<3 { #expect(limiter.charge(at: 0, atMost: self.second) == .refused(after: 2 * self.second)) }
        #expect(self.waits(&limiter, 1) == [2])
    }

    @Test func aTurnThatIsGivenBackIsTheNextOnes() {
        var limiter = self.limiter(rate: 1, burst: 1)
        #expect(self.waits(&limiter, 3) == [0, 1, 2])
        limiter.refund()
        #expect(self.waits(&limiter, 1) == [2])
    }

    @Test func givingATurnBackDoesNotEndARest() {
        var limiter = self.limiter(rate: 1, burst: 1)
        #expect(self.waits(&limiter, 3) == [0, 1, 2])
        limiter.pause(until: 10 * self.second)
        for _ in 0..<2 { limiter.refund() }
        #expect(self.waits(&limiter, 2) == [10, 11])
    }

    @Test func aCallerThatWaitsDuringAPauseIsDelayedAndTheRateIsEvenAfterIt() {
        var limiter = self.limiter(rate: 1, burst: 1)
        #expect(self.waits(&limiter, 4) == [0, 1, 2, 3])
        limiter.pause(until: 10 * self.second)
        // At its turn each caller encounters the pause and takes the next turn.
        let waits = (1...3).flatMap { self.waits(&limiter, 1, at: $0 * self.second) }
        #expect(waits == [9, 9, 9])
    }

    @Test func aPauseDelaysAllCallersAndThenTheRateIsEven() {
        var limiter = self.limiter(rate: 1, burst: 4)
        limiter.pause(until: 10 * self.second)
        #expect(self.waits(&limiter, 3) == [10, 11, 12])
    }

    @Test func withoutARateThereIsNoWaitButForARest() {
        var limiter = RateLimiter(RateLimit(interval: 0, burst: 8))
        #expect(self.waits(&limiter, 3) == [0, 0, 0])
        limiter.pause(until: self.second)
        #expect(self.waits(&limiter, 2) == [1, 1])
        #expect(self.waits(&limiter, 2, at: self.second) == [0, 0])
    }

    @Test func aPauseLastsUntilItsEnd() {
        var limiter = self.limiter(rate: 1, burst: 1)
        #expect(!limiter.isPaused(at: 0))
        limiter.pause(until: 0)
        #expect(!limiter.isPaused(at: 0))
        limiter.pause(until: 10)
        #expect(limiter.isPaused(at: 9) && !limiter.isPaused(at: 10))
    }

    @Test func aLimitWithoutAWaitRefusesWhatIsBeyondTheBurst() {
        let limit = RateLimit(interval: self.second, burst: 2)
        var time: UInt64 = 0
        #expect(limit.charge(&time, at: self.second) == .admitted(after: 0))
        #expect(limit.charge(&time, at: self.second) == .admitted(after: 0))
        #expect(limit.charge(&time, at: self.second) == .refused(after: self.second))
        limit.refund(&time)
        #expect(limit.charge(&time, at: self.second) == .admitted(after: 0))
        #expect(limit.charge(&time, at: 3 * self.second / 2) == .refused(after: self.second / 2))
        #expect(limit.charge(&time, at: 2 * self.second) == .admitted(after: 0))
    }

    private func limiter(rate: UInt64, burst: Int) -> RateLimiter {
        RateLimiter(RateLimit(interval: self.second / rate, burst: burst))
    }

    /// Waiting times in seconds.
    private func waits(_ limiter: inout RateLimiter, _ count: Int, at now: UInt64 = 0) -> [Double] {
        var waits: [Double] = []
        for _ in 0..<count {
            guard case .admitted(let wait) = limiter.charge(at: now, atMost: .max) else { break }
            waits.append(Double(wait) / 1e9)
        }
        return waits
    }
}

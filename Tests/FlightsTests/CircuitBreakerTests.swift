import Flights
import Testing

struct CircuitBreakerTests {
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

    private func openBreaker() -> CircuitBreaker {
        var breaker = CircuitBreaker(BreakerPolicy())
        for _ in 0..<5 { breaker.record(.failure, of: breaker.admit(), at: 0) }
        return breaker
    }
}

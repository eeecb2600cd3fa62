import Flights
import PosterTesting
import Testing

/// Compares limiters with a reference that remembers every event, in integers without limits.
struct RateLimiterModelTests {
    /// The n-th event may start no earlier than `tolerance` before each earlier event's start plus an interval for each
    /// event since.
    private struct Reference {
        let interval: Int128
        let tolerance: Int128
        /// Starts, with the numbers of events charged before.
        var events: [(start: Int128, number: Int128)] = []
        /// Events charged and not refunded.
        var count: Int128 = 0
        var pauseEnd: Int128?

        /// The time with a full burst.
        func arrivalTime() -> Int128 {
            self.events.reduce(0) { max($0, $1.start + (self.count - $1.number) * self.interval) }
        }

        mutating func charge(at now: Int128, atMost maxWait: Int128) -> RateLimit.Decision {
            let pause = self.pauseEnd.map { $0 + self.tolerance } ?? 0
            let start = max(now, max(self.arrivalTime(), pause) - self.tolerance)
            guard start - now <= maxWait else { return .refused(after: UInt64(start - now)) }
            self.events += [(start, self.count), (pause, self.count)]
            self.count += 1
            return .admitted(after: UInt64(start - now))
        }
    }

    @Test("random charges, refunds and pauses have the results of a list of all events", arguments: TestSeeds.first(40))
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let interval = UInt64.random(in: random.occurs(10) ? 0...0 : 1...1000, using: &random)
        let burst = Int.random(in: 0...6, using: &random)
        var limiter = RateLimiter(RateLimit(interval: interval, burst: burst))
        var reference = Reference(interval: Int128(interval), tolerance: Int128(interval) * Int128(max(1, burst) - 1))
        var now: UInt64 = 1_000_000
        for step in 0..<200 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<12:
                let maxWait = random.occurs(50) ? 0 : UInt64.random(in: 0...4000, using: &random)
                let decision = limiter.charge(at: now, atMost: maxWait)
                try #require(decision == reference.charge(at: Int128(now), atMost: Int128(maxWait)), "step \(step)")
            case 12, 13:
                // Only charged events are refunded.
                guard reference.count > 0 else { break }
                limiter.refund()
                reference.count -= 1
            case 14:
                let end = now + UInt64.random(in: 0...3000, using: &random)
                limiter.pause(until: end)
                reference.pauseEnd = max(reference.pauseEnd ?? 0, Int128(end))
            default: now += UInt64.random(in: 0...(2 * max(1, interval)), using: &random)
            }
            try #require(limiter.isPaused(at: now) == (reference.pauseEnd ?? 0 > Int128(now)), "step \(step)")
        }
    }

    @Test("in no period are there more events than the burst and the rate admit", arguments: TestSeeds.first(20))
    func rate(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let interval = UInt64.random(in: 1...100, using: &random)
        let burst = Int.random(in: 1...6, using: &random)
        let limit = RateLimit(interval: interval, burst: burst)
        var (arrivalTime, now, starts): (UInt64, UInt64, [UInt64]) = (0, 0, [])
        while starts.count < 100 {
            now += UInt64.random(in: 0...interval, using: &random)
            let maxWait = UInt64.random(in: 0...(2 * interval), using: &random)
            let decision = limit.charge(&arrivalTime, at: now, atMost: maxWait)
            if case .admitted(let wait) = decision { starts.append(now + wait) }
        }
        for first in starts.indices {
            for last in first..<starts.count {
                let admitted = UInt64(burst) + (starts[last] - starts[first]) / interval
                try #require(UInt64(last - first + 1) <= admitted, "events \(first)...\(last)")
            }
        }
    }

    @Test("no time, interval or burst overflows", arguments: TestSeeds.first(20))
    func extremes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let times: [UInt64] = [0, 1, .max / 2, .max - 1, .max]
        let bursts: [Int] = [.min, 0, 1, 2, .max]
        for _ in 0..<200 {
            let limit = RateLimit(
                interval: times.randomElement(using: &random)!, burst: bursts.randomElement(using: &random)!)
            var limiter = RateLimiter(limit)
            for _ in 0..<5 {
                let maxWait = times.randomElement(using: &random)!
                switch limiter.charge(at: times.randomElement(using: &random)!, atMost: maxWait) {
                case .admitted(let wait): try #require(wait <= maxWait)
                case .refused(let wait): try #require(wait > maxWait)
                }
                if random.occurs(30) { limiter.refund() }
                if random.occurs(30) { limiter.pause(until: times.randomElement(using: &random)!) }
            }
        }
    }
}

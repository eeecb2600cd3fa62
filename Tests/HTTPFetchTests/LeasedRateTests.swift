import Flights
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct LeasedRateTests {
    private let clock = ManualClock()
    private let limit = RateLimit(interval: 25_000_000, burst: 8)

    private func node(
        _ rates: MemoryRates, gate: Gate? = nil, isAway: @escaping @Sendable () -> Bool = { false }
    ) -> LeasedRate {
        var shared = MemoryNodeRates(rates: rates, isAway: isAway)
        shared.share.since = self.clock.now()
        shared.gate = gate
        return LeasedRate("https://a.test:443", limit: self.limit, shared: shared, now: self.clock.now)
    }

    /// Moments at which a node begins attempts within `time` if it can.
    private func begin(_ node: LeasedRate, for time: Duration) async throws -> [UInt64] {
        var moments: [UInt64] = []
        let turn = try await node.turn(until: self.clock.now() + time.nanoseconds)
        switch turn {
        case .leased(let moment), .own(let moment): moments.append(max(moment, self.clock.now()))
        case .later, .refused: break
        }
        return moments
    }

    /// The largest number of moments within any interval of this length.
    private func most(_ moments: [UInt64], within time: Duration) -> Int {
        moments.map { start in moments.count { start <= $0 && $0 < start + time.nanoseconds } }.max() ?? 0
    }

    /// Moments within `time` at which three nodes with unlimited demand begin attempts.
    private func attempts(
        _ nodes: [LeasedRate], for time: Duration, eachMillisecond: (Int) -> Void = { _ in }
    ) async throws -> [UInt64] {
        var moments: [UInt64] = []
        for millisecond in 0..<Int(time / .milliseconds(1)) {
            eachMillisecond(millisecond)
            for node in nodes {
                while true {
                    let new = try await self.begin(node, for: .zero)
                    if new.isEmpty { break }
                    moments += new
                }
            }
            self.clock.advance(by: .milliseconds(1))
        }
        return moments
    }

    @Test func nodesTogetherKeepRateAndBurst() async throws {
        let rates = MemoryRates(now: self.clock.now)
        let nodes = [self.node(rates), self.node(rates), self.node(rates)]
        let moments = try await self.attempts(nodes, for: .seconds(10))
        #expect((390...408).contains(moments.count), "40 a second, and the burst once")
        #expect(self.most(moments, within: .seconds(1)) <= 48, "not more in any second")
    }

    @Test func whatWaitsTogetherIsLeasedTogether() async throws {
        let (rates, gate) = (MemoryRates(now: self.clock.now), Gate())
        let node = self.node(rates, gate: gate)
        let end = self.clock.now() + 1_000_000_000
        let turns = (0..<20).map { _ in Task { try await node.turn(until: end) } }
        try await eventually { node.waiterCount == 20 }
        gate.open()
        var moments: [UInt64] = []
        for turn in turns {
            guard case .leased(let moment) = try await turn.value else { continue }
            moments.append(moment)
        }
        #expect(moments.count == 20)
        #expect(Set(moments).count == 20 - 5, "a burst of 6, the others 25 ms apart")
        #expect(rates.requests.count <= 2)
    }

    @Test func aMomentThatIsNotUsedIsLost() async throws {
        let rates = MemoryRates(now: self.clock.now)
        let node = self.node(rates)
        let turn = try await node.turn(until: self.clock.now())
        node.refund(turn)
        #expect(try await node.turn(until: self.clock.now()) == turn, "given back, and used by another")
        node.refund(turn)
        self.clock.advance(by: .milliseconds(51))
        #expect(try await node.turn(until: self.clock.now()) != turn)
        #expect(rates.requests.count == 2)
    }

    @Test func whatDoesNotComeInTimeIsRefusedWithoutAsking() async throws {
        let rates = MemoryRates(now: self.clock.now)
        let node = self.node(rates)
        for _ in 0..<6 { _ = try await node.turn(until: self.clock.now()) }
        let end = self.clock.now() + 20_000_000
        var turns: [LeasedRate.Turn] = []
        for _ in 0..<3 { turns.append(try await node.turn(until: end)) }
        #expect(turns.allSatisfy { $0 == .refused(after: 25_000_000) })
        let count = rates.requests.count
        _ = try await node.turn(until: end)
        #expect(rates.requests.count == count)
    }

    @Test func withoutTheSharedStateANodeUsesItsShare() async throws {
        let rates = MemoryRates(now: self.clock.now)
        let nodes = [self.node(rates), self.node(rates), self.node(rates)]
        let moments = try await self.attempts(nodes, for: .seconds(20)) { millisecond in
            rates.isAway = (4000..<8000).contains(millisecond)
        }
        let (most, least) = (8 + 800, 800 - 5 * 27 - 40)
        #expect(moments.count <= most, "the burst once, and the rate")
        #expect(moments.count >= least, "a share for all in the first five seconds after its return")
        #expect(self.most(moments, within: .seconds(1)) <= 48)
    }

    /// - Parameters:
    ///   - outage: The outage of the first nodes in milliseconds.
    ///   - returned: Number of nodes that return then; the others return after twice that time.
    @Test(arguments: [(500, 1), (2000, 1), (2000, 2), (4000, 2)])
    func nodesThatComeBackAfterOneAnotherKeepTheRateTogether(outage: Int, returned: Int) async throws {
        let (rates, clock) = (MemoryRates(now: self.clock.now), self.clock)
        let start = clock.now()
        let nodes = (0..<3).map { number in
            let end = 4000 + (number < returned ? outage : 2 * outage)
            return self.node(rates) { (4000..<end).contains(Int((clock.now() - start) / 1_000_000)) }
        }
        let moments = try await self.attempts(nodes, for: .seconds(16))
        #expect(self.excess(moments) <= 8)
        #expect(moments.count { $0 >= start + 14_000_000_000 } >= 78, "the whole rate in the end")
    }

    /// By how many attempts any interval exceeds the rate without its burst.
    private func excess(_ moments: [UInt64]) -> Double {
        var (worst, lowest) = (0.0, Double.infinity)
        for (count, moment) in moments.sorted().enumerated() {
            let allowed = Double(moment) / Double(self.limit.interval)
            lowest = min(lowest, Double(count) - allowed)
            worst = max(worst, Double(count + 1) - allowed - lowest)
        }
        return worst
    }

    @Test func aSharedStateThatWasLostIsRestored() async throws {
        let rates = MemoryRates(now: self.clock.now)
        let nodes = [self.node(rates), self.node(rates), self.node(rates)]
        let moments = try await self.attempts(nodes, for: .seconds(6)) { millisecond in
            if millisecond.isMultiple(of: 500) { rates.forget() }
        }
        #expect(moments.count <= 8 + 240)
    }

    @Test func afterAPauseThePaceIsEven() async throws {
        let rates = MemoryRates(now: self.clock.now)
        let node = self.node(rates)
        node.pause(until: self.clock.now() + 1_000_000_000)
        #expect(try await node.turn(until: self.clock.now()) == .refused(after: 1_000_000_000))
        let end = self.clock.now() + 2_000_000_000
        #expect(try await node.turn(until: end) == .later(self.clock.now() + 1_000_000_000))
        self.clock.advance(by: .seconds(1))
        let moments = try await self.attempts([node], for: .milliseconds(100))
        #expect(moments.count == 4)
    }

    @Test func aCallerThatLeavesDoesNotHoldUpTheOthers() async throws {
        let (rates, gate) = (MemoryRates(now: self.clock.now), Gate())
        let node = self.node(rates, gate: gate)
        let first = Task { try await node.turn(until: self.clock.now()) }
        try await eventually { gate.waiterCount == 1 }
        let second = Task { try await node.turn(until: self.clock.now()) }
        try await eventually { node.waiterCount == 2 }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        #expect(try await second.value == .leased(self.clock.now()))
    }

    @Test func theShareOfARateIsThatOfTheBurst() {
        #expect(self.limit.share(of: 4) == RateLimit(interval: 100_000_000, burst: 2))
        #expect(self.limit.share(of: 100) == RateLimit(interval: 2_500_000_000, burst: 1))
    }
}

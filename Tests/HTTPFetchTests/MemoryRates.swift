import Flights
import Synchronization

@testable import HTTPFetch

/// What nodes share in Redis, in memory: by the same rules, on a clock of the test's.
final class MemoryRates: Sendable {
    private struct State {
        var arrivals: [String: UInt64] = [:]
        var isAway = false
        var requests: [RateRequest] = []
    }

    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    init(now: @escaping @Sendable () -> UInt64) {
        self.now = now
    }

    /// Whether it is out of reach.
    var isAway: Bool {
        get { self.state.withLock { $0.isAway } }
        set { self.state.withLock { $0.isAway = newValue } }
    }

    /// All that it got.
    var requests: [RateRequest] { self.state.withLock { $0.requests } }

    func forget() {
        self.state.withLock { $0.arrivals = [:] }
    }

    func lease(_ request: RateRequest) -> RateLease? {
        let now = self.now()
        return self.state.withLock { state in
            state.requests.append(request)
            guard !state.isAway else { return nil }
            let (interval, tolerance) = (request.limit.interval, request.limit.tolerance)
            let arrival = max(state.arrivals[request.origin] ?? 0, now, now + request.leastArrival)
            let wait = arrival.subtractingClamped(now).subtractingClamped(tolerance)
            guard wait <= request.maxWait else { return .refused(after: wait) }
            let room = request.maxWait + tolerance - (arrival - now)
            let count = min(request.count, Int(room / interval) + 1)
            state.arrivals[request.origin] = arrival + UInt64(count) * interval
            return .granted(count: count, arrival: arrival - now)
        }
    }
}

/// One of several nodes.
struct MemoryNodeRates: SharedRates {
    let rates: MemoryRates
    var share = RateShare(nodeCount: 3, since: nil)
    /// Whether it is out of this node's reach.
    var isAway: @Sendable () -> Bool = { false }
    /// What each request waits for first.
    var gate: Gate?

    func lease(_ request: RateRequest) async throws -> RateLease? {
        try await self.gate?.wait()
        return self.isAway() ? nil : self.rates.lease(request)
    }
}

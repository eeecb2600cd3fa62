import Flights
import Synchronization

@testable import HTTPFetch

/// The rates that nodes share in Redis, by the same rules in memory and with a test's clock.
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

    /// Whether the rates are unreachable.
    var isAway: Bool {
        get { self.state.withLock { $0.isAway } }
        set { self.state.withLock { $0.isAway = newValue } }
    }

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

/// The rates as seen by one of several nodes.
struct MemoryNodeRates: SharedRates {
    let rates: MemoryRates
    var share = RateShare(nodeCount: 3, since: nil)
    /// Whether the rates are unreachable for this node.
    var isAway: @Sendable () -> Bool = { false }
    /// Delays each request until it opens.
    var gate: Gate?

    func lease(_ request: RateRequest) async throws -> RateLease? {
        try await self.gate?.wait()
        return self.isAway() ? nil : self.rates.lease(request)
    }
}

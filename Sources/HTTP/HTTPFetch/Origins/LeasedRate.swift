import Flights
import Synchronization

/// The rate of one origin when several nodes share it: attempts begin at moments that are leased in blocks.
///
/// A block has a moment for each fetch that waits, and a few more while blocks are used up. A moment that is not used within
/// ``slotLifetime`` is lost, and the shared burst is smaller by that time: all nodes together keep rate and burst in every
/// interval. While the shared state is out of reach the node uses its last share of the rate; in the state's favour it counts
/// as used up when that begins, and when the state is back. Other nodes may find it later, and use their shares until then: for
/// the longest time that this can take, all that are back have one share together.
///
/// Under the lock: the moments, pauses and the share. All is O(moments), of which there are at most ``maxCount`` and a few that
/// were given back.
final class LeasedRate: Sendable {
    /// How long after its time a moment can be used.
    static let slotLifetime: UInt64 = 50_000_000
    /// The most moments of a block.
    static let maxCount = 64
    /// How long the shared state is left alone after it was out of reach.
    static let retryInterval: UInt64 = 100_000_000
    /// The longest time in which nodes come back to the shared state after each other: the longest pause between their attempts
    /// to connect. After shorter outages it is twice those: pauses double.
    static let longestReturn: UInt64 = 5_000_000_000

    /// When an attempt may begin.
    enum Turn: Hashable {
        /// At a moment that was leased.
        case leased(UInt64)
        /// At a moment of this node's own share.
        case own(UInt64)
        /// Not before this moment, at which the turn has to be asked for again.
        case later(UInt64)
        /// Not in time, but in so many nanoseconds.
        case refused(after: UInt64)
    }

    private enum Step {
        case turn(Turn)
        case lease(RateRequest, Gate)
        /// Until a lease is there that another fetch has requested.
        case wait(Gate)
    }

    private struct State {
        /// Ascending.
        var slots: [UInt64] = []
        var waiterCount = 0
        /// The lease under way.
        var lease: Gate?
        /// The shared theoretical arrival time as far as it is known; 0 at first.
        var arrival: UInt64 = 0
        /// No moment before this one can be leased.
        var earliest: UInt64 = 0
        /// Moments to be leased beyond those that are waited for.
        var spare = 0
        var pauseEnd: UInt64 = 0
        /// The last reply of the shared state; 0 at first.
        var contact: UInt64 = 0
        /// nil while the shared state is in reach.
        var own: RateLimiter?
        /// When ``own`` began, and the nodes then.
        var leftAt: UInt64 = 0
        var nodeCount = 1
        /// Until then nodes come back to the shared state.
        var returnEnd: UInt64 = 0

        mutating func isBack(at now: UInt64) {
            if self.own != nil {
                let time = 2 * now.subtractingClamped(self.leftAt) + LeasedRate.retryInterval
                self.returnEnd = now.addingClamped(min(time, LeasedRate.longestReturn))
            }
            self.own = nil
            self.contact = now
        }
        /// When the shared state is tried again.
        var retryAt: UInt64 = 0
    }

    private let origin: String
    private let limit: RateLimit
    /// With a burst that is smaller by ``slotLifetime``.
    private let sharedLimit: RateLimit
    private let shared: any SharedRates
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameter limit: Of all nodes together; its interval is not 0.
    init(_ origin: String, limit: RateLimit, shared: any SharedRates, now: @escaping @Sendable () -> UInt64) {
        self.origin = origin
        self.limit = limit
        self.sharedLimit = limit.lessTolerant(by: Self.slotLifetime)
        self.shared = shared
        self.now = now
    }

    /// The fetches that wait for a turn.
    var waiterCount: Int { self.state.withLock { $0.waiterCount } }

    /// The next turn at `end` or before.
    /// - Throws: `CancellationError`.
    func turn(until end: UInt64) async throws -> Turn {
        self.state.withLock { $0.waiterCount += 1 }
        defer { self.state.withLock { $0.waiterCount -= 1 } }
        while true {
            let now = self.now()
            switch self.state.withLock({ self.step(&$0, at: now, until: end) }) {
            case .turn(let turn): return turn
            case .wait(let gate): try await gate.wait()
            case .lease(let request, let gate): try await self.lease(request, gate)
            }
        }
    }

    /// Gives back the turn of an attempt that does not begin.
    func refund(_ turn: Turn) {
        self.state.withLock { state in
            switch turn {
            case .leased(let slot):
                let index = state.slots.firstIndex { $0 > slot } ?? state.slots.endIndex
                state.slots.insert(slot, at: index)
            case .own: state.own?.refund()
            case .later, .refused: break
            }
        }
    }

    /// Lets no turn be before `end`, and from then on at an even pace. Of this node only: each gets its own `Retry-After`.
    func pause(until end: UInt64) {
        self.state.withLock { state in
            state.pauseEnd = max(state.pauseEnd, end)
            state.own?.pause(until: end)
        }
    }

    private func step(_ state: inout State, at now: UInt64, until end: UInt64) -> Step {
        let expired = state.slots.prefix { $0.addingClamped(Self.slotLifetime) < now }.count
        if expired > 0 {
            state.slots.removeFirst(expired)
            state.spare = 0
        }
        if state.pauseEnd > now {
            return .turn(state.pauseEnd > end ? .refused(after: state.pauseEnd - now) : .later(state.pauseEnd))
        }
        if let slot = state.slots.first {
            guard slot <= max(now, end) else { return .turn(.refused(after: slot - now)) }
            state.slots.removeFirst()
            return .turn(.leased(slot))
        }
        if state.own != nil, state.retryAt > now { return .turn(self.ownTurn(&state, at: now, until: end)) }
        if let gate = state.lease { return .wait(gate) }
        guard state.earliest <= max(now, end) else { return .turn(.refused(after: state.earliest - now)) }
        let gate = Gate()
        state.lease = gate
        let isReturning = state.own != nil || now < state.returnEnd
        return .lease(
            RateRequest(
                origin: self.origin,
                limit: isReturning ? self.sharedLimit.share(of: state.nodeCount) : self.sharedLimit,
                count: min(Self.maxCount, max(1, state.waiterCount) + state.spare),
                maxWait: end.subtractingClamped(now),
                leastArrival: max(state.arrival.subtractingClamped(now), self.leastArrival(state, at: now))), gate)
    }

    /// As if the burst were used up, after a pause and after a time without the shared state.
    private func leastArrival(_ state: State, at now: UInt64) -> UInt64 {
        let tolerance = self.sharedLimit.tolerance
        if state.own != nil { return tolerance.addingClamped(self.limit.interval) }
        return state.pauseEnd > 0 && now < state.pauseEnd.addingClamped(tolerance) ? tolerance : 0
    }

    private func lease(_ request: RateRequest, _ gate: Gate) async throws {
        defer {
            self.state.withLock { $0.lease = nil }
            gate.open()
        }
        let lease = try await self.shared.lease(request)
        let (now, share) = (self.now(), self.shared.share)
        self.state.withLock { state in
            switch lease {
            case .granted(let count, let arrival):
                state.isBack(at: now)
                let (tolerance, interval) = (request.limit.tolerance, request.limit.interval)
                let first = now.addingClamped(arrival)
                let arrivals = (0..<max(1, count)).map { first.addingClamped(UInt64($0) * interval) }
                state.slots += arrivals.map { max(now, $0.subtractingClamped(tolerance)) }
                state.slots.sort()
                state.arrival = arrivals[arrivals.count - 1].addingClamped(interval)
                state.earliest = state.arrival.subtractingClamped(tolerance)
                // More than is waited for only while all was used, and no more than can be used.
                state.spare = Int(min(Self.slotLifetime / interval, UInt64(2 * state.spare + 1)))
            case .refused(let wait):
                state.isBack(at: now)
                state.earliest = now.addingClamped(wait)
            case nil:
                if state.own == nil {
                    (state.leftAt, state.nodeCount) = (now, share.nodeCount)
                    state.own = self.ownRate(of: share, after: max(state.arrival, state.contact), at: now)
                }
                state.retryAt = now.addingClamped(Self.retryInterval)
            }
        }
    }

    // MARK: Without the shared state

    /// This node's share of the rate, from the last contact on or after the moments that it was granted.
    /// - Parameter moment: The last contact about this origin, or the arrival time that it brought.
    private func ownRate(of share: RateShare, after moment: UInt64, at now: UInt64) -> RateLimiter {
        let limit = self.limit.share(of: share.nodeCount)
        var rate = RateLimiter(limit)
        rate.pause(until: max(share.since ?? now, moment).addingClamped(limit.interval))
        return rate
    }

    /// No more than ``retryInterval`` ahead: the shared state may be back then.
    private func ownTurn(_ state: inout State, at now: UInt64, until end: UInt64) -> Turn {
        let left = end.subtractingClamped(now)
        switch state.own?.charge(at: now, atMost: min(left, Self.retryInterval)) {
        case .admitted(let wait)?: return .own(now.addingClamped(wait))
        case .refused(let wait)?:
            return wait > left ? .refused(after: wait) : .later(now.addingClamped(Self.retryInterval))
        case nil: return .later(now)
        }
    }
}

extension RateLimit {
    /// The rate with a burst that is smaller by so many nanoseconds' events.
    fileprivate func lessTolerant(by time: UInt64) -> RateLimit {
        let burst = self.tolerance.subtractingClamped(time) / max(1, self.interval)
        return RateLimit(interval: self.interval, burst: Int(clamping: burst.addingClamped(1)))
    }

    /// An equal share of rate and burst, with a burst of at least 1.
    func share(of count: Int) -> RateLimit {
        let burst = Int(clamping: (self.tolerance / max(1, self.interval)).addingClamped(1))
        let (interval, overflow) = self.interval.multipliedReportingOverflow(by: UInt64(max(1, count)))
        return RateLimit(interval: overflow ? .max : interval, burst: max(1, burst / max(1, count)))
    }
}

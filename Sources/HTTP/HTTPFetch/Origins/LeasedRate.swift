import Flights
import Synchronization

/// The rate of one origin that several nodes share: attempts begin at slots, moments that are leased in blocks.
///
/// A block has a slot for each waiting fetch, and a few more while blocks are used up. A slot expires after
/// ``slotLifetime``, by which the shared burst is reduced: all nodes together keep rate and burst in every interval.
///
/// While the shared state is unreachable, the node uses its last share of the rate. To be safe, the burst counts as
/// used up when an outage begins and when it ends. Other nodes may reconnect later, and use their own shares until
/// then: for the longest time that this can take, all reconnected nodes have one share together.
///
/// Every operation is O(slots): at most ``maxCount``, and a few refunded ones.
final class LeasedRate: Sendable {
    /// How long after its moment a slot can be used, in nanoseconds.
    static let slotLifetime: UInt64 = 50_000_000
    /// Maximum number of slots in a block.
    static let maxCount = 64
    /// How long the shared state is not tried again after a failure, in nanoseconds.
    static let retryInterval: UInt64 = 100_000_000
    /// Longest time over which nodes reconnect to the shared state after each other, in nanoseconds: the longest pause
    /// between their attempts to connect. After a shorter outage it is twice the outage, because pauses double.
    static let longestReturn: UInt64 = 5_000_000_000

    /// When an attempt may begin, on the clock `now`.
    enum Turn: Hashable {
        /// At a leased slot.
        case leased(UInt64)
        /// At a moment of this node's own share.
        case own(UInt64)
        /// Not before this moment, at which another turn has to be requested.
        case later(UInt64)
        /// Not in time, but in this many nanoseconds.
        case refused(after: UInt64)
    }

    private enum Step {
        case turn(Turn)
        case lease(RateRequest, Gate)
        /// Wait for a lease that another fetch has requested.
        case wait(Gate)
    }

    private struct State {
        /// Leased slots, ascending.
        var slots: [UInt64] = []
        var waiterCount = 0
        var lease: Gate?
        /// The shared theoretical arrival time as last reported; 0 at first.
        var arrival: UInt64 = 0
        /// No slot before this moment can be leased.
        var earliest: UInt64 = 0
        /// Number of slots to lease in addition to one per waiting fetch.
        var spare = 0
        var pauseEnd: UInt64 = 0
        /// Time of the last reply of the shared state; 0 at first.
        var contact: UInt64 = 0
        /// Limiter of the node's own share; `nil` while the shared state is reachable.
        var own: RateLimiter?
        /// Time when ``own`` began, and the number of nodes then.
        var leftAt: UInt64 = 0
        var nodeCount = 1
        /// Until this time nodes may still be reconnecting to the shared state.
        var returnEnd: UInt64 = 0

        mutating func isBack(at now: UInt64) {
            if self.own != nil {
                let time = 2 * now.subtractingClamped(self.leftAt) + LeasedRate.retryInterval
                self.returnEnd = now.addingClamped(min(time, LeasedRate.longestReturn))
            }
            self.own = nil
            self.contact = now
        }
        /// When to try the shared state again.
        var retryAt: UInt64 = 0
    }

    private let origin: String
    private let limit: RateLimit
    /// ``limit`` with a burst reduced by ``slotLifetime``.
    private let sharedLimit: RateLimit
    private let shared: any SharedRates
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameter limit: The limit of all nodes together; its interval must not be 0.
    init(_ origin: String, limit: RateLimit, shared: any SharedRates, now: @escaping @Sendable () -> UInt64) {
        self.origin = origin
        self.limit = limit
        self.sharedLimit = limit.lessTolerant(by: Self.slotLifetime)
        self.shared = shared
        self.now = now
    }

    var waiterCount: Int { self.state.withLock { $0.waiterCount } }

    /// Returns the next turn, at `end` at the latest.
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

    /// Refunds the turn of an attempt that does not begin.
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

    /// Delays all turns until `end`, and admits an even pace from then on. Applies to this node only: each node
    /// receives its own `Retry-After`.
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

    /// The burst counts as used up after a pause and after an outage of the shared state.
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
                // Spare slots only while all were used, and no more than can be used within their lifetime.
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

    /// Returns a limiter for this node's share of the rate, which admits attempts from one interval after the last
    /// contact, or after the slots that it was granted.
    /// - Parameter moment: The last contact about this origin, or the arrival time that it reported.
    private func ownRate(of share: RateShare, after moment: UInt64, at now: UInt64) -> RateLimiter {
        let limit = self.limit.share(of: share.nodeCount)
        var rate = RateLimiter(limit)
        rate.pause(until: max(share.since ?? now, moment).addingClamped(limit.interval))
        return rate
    }

    /// Looks ahead by ``retryInterval`` at most: the shared state may be reachable again then.
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
    /// Returns the rate with a burst reduced by the events of this many nanoseconds.
    fileprivate func lessTolerant(by time: UInt64) -> RateLimit {
        let burst = self.tolerance.subtractingClamped(time) / max(1, self.interval)
        return RateLimit(interval: self.interval, burst: Int(clamping: burst.addingClamped(1)))
    }

    /// Returns an equal share of rate and burst; the burst is at least 1.
    func share(of count: Int) -> RateLimit {
        let burst = Int(clamping: (self.tolerance / max(1, self.interval)).addingClamped(1))
        let (interval, overflow) = self.interval.multipliedReportingOverflow(by: UInt64(max(1, count)))
        return RateLimit(interval: overflow ? .max : interval, burst: max(1, burst / max(1, count)))
    }
}

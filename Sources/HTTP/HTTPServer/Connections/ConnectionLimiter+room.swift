import CoreMetrics
import NIOCore
import Synchronization

/// Closing connections in favour of waiting ones.
///
/// Candidates are first connections that only get refusals, then those idle for longest, then the slowest readers: a
/// client that only holds connections keeps no other out.
extension ConnectionLimiter {
    /// Rate in bytes per second below which a connection is slow.
    static let leastRate = 64 << 10

    /// Closes connections now, and every ``Bounds/lookPeriod`` while connections wait.
    func makeRoom(on loop: any EventLoop) {
        let isFirst = self.state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        if isFirst { self.look(on: loop) }
    }

    private func look(on loop: any EventLoop) {
        let mustGoOn = self.state.withLock { state in
            state.isLooking = !state.waiting.isEmpty
            return state.isLooking
        }
        guard mustGoOn else { return }
        self.makeRoom()
        for tracker in self.open { tracker.observe() }
        // The loop ends with the service.
        loop.scheduleTask(in: self.bounds.lookPeriod) { self.look(on: loop) }
    }

    /// Closes up to as many connections as are needed.
    func makeRoom(now: NIODeadline = .now()) {
        let chosen = self.dispensable(now: now)
        self.state.withLock { $0.ending = Set(chosen.map { ObjectIdentifier($0.tracker) }) }
        self.endedForRoom.increment(by: chosen.count)
        for (tracker, reason) in chosen { tracker.end(reason) }
    }

    // MARK: Silence

    /// Closes silent connections above the limit now, and every ``Bounds/leastSilence`` while no more are accepted:
    /// probes of ``OperationsPaths`` behind them in the kernel's queue do not wait for them.
    func endSilence(on loop: any EventLoop) {
        let isFirst = self.state.withLock { state in
            defer { state.isLookingForSilence = true }
            return !state.isLookingForSilence
        }
        if isFirst { self.lookForSilence(on: loop) }
    }

    private func lookForSilence(on loop: any EventLoop) {
        let mustGoOn = self.state.withLock { state in
            state.isLookingForSilence = !state.paused.isEmpty
            return state.isLookingForSilence
        }
        guard mustGoOn else { return }
        let chosen = self.silent(now: .now())
        self.endedForRoom.increment(by: chosen.count)
        for (tracker, since) in chosen { tracker.end(.idle(since: since)) }
        // The task ends with the loop, which ends with the service.
        loop.scheduleTask(in: self.bounds.leastSilence) { self.lookForSilence(on: loop) }
    }

    /// Returns the connections without a permit that have had no request for long enough; at most the reserve. A
    /// connection with an incomplete first request, or handshake, has ``Bounds/leastRest``.
    func silent(now: NIODeadline) -> [(tracker: IdleTracker, since: NIODeadline)] {
        self.open.compactMap { tracker in
            guard !tracker.permit.isTaken, let since = tracker.since else { return nil }
            let hasBegun = !tracker.isSilent && tracker.answerCount == 0
            guard now - since >= (hasBegun ? self.bounds.leastRest : self.bounds.leastSilence) else { return nil }
            return (tracker, since)
        }
    }

    private var open: [IdleTracker] { self.state.withLock { Array($0.open.values) } }

    /// Returns the connections to close, in order.
    func dispensable(now: NIODeadline) -> [(tracker: IdleTracker, reason: IdleTracker.Reason)] {
        let (open, isPaused, waitingCount) = self.state.withLock { state in
            (Array(state.open.values), !state.paused.isEmpty, state.waiting.count)
        }
        let most = max(1, min(Self.mostPerLook, self.bounds.count / 8))
        let needed = isPaused ? most : min(most, waitingCount)
        guard needed > 0 else { return [] }
        var refused: [(tracker: IdleTracker, since: NIODeadline)] = []
        var resting: [(tracker: IdleTracker, since: NIODeadline)] = []
        var slow: [(tracker: IdleTracker, rate: Int)] = []
        // Connections without a permit have none to give, but keep others in the kernel's queue.
        for tracker in open where tracker.permit.isTaken || isPaused {
            if let since = tracker.since {
                if tracker.isRefused {
                    refused.append((tracker, since))
                } else if now - since >= self.bounds.leastRest {
                    resting.append((tracker, since))
                }
            } else if let rate = tracker.rate(observedFor: self.bounds.leastObservation, now: now),
                rate < Self.leastRate
            {
                slow.append((tracker, rate))
            }
        }
        let quiet = refused.sorted { $0.since < $1.since } + resting.sorted { $0.since < $1.since }
        let all =
            quiet.map { ($0.tracker, IdleTracker.Reason.idle(since: $0.since)) }
            + slow.sorted { $0.rate < $1.rate }.map { ($0.tracker, .slowness) }
        return all.prefix(needed).map { (tracker: $0.0, reason: $0.1) }
    }
}

import Flights
package import PosterPipeline
import Synchronization

/// Tracks how long a node may have missed events of other nodes, and moves the gate of its requests accordingly. Safe
/// from any thread.
package final class CutOffWatch: Sendable {
    package enum Phase: String, Sendable {
        /// Not connected since the start or since a suspension.
        case starting
        /// Connected, and applying missed events.
        case catchingUp = "catching-up"
        /// Connected, with all events applied.
        case current
        case cutOff = "cut-off"
    }

    private struct State {
        var phase = Phase.starting
        /// The last time at which all events were applied; `nil` if never since the start.
        var currentAt: UInt64?
        /// The end of the time that requests wait in ``Phase/starting``.
        var startEnd: UInt64
    }

    /// How long requests wait after a start while Redis is unreachable; 3 seconds.
    package static let startTime = Duration.seconds(3)
    /// How long the node counts as current after a read; 0.95 seconds. After that requests wait for the next reply.
    package static let currentTime = Duration.milliseconds(950)
    /// The time without events after which the process counts as suspended rather than just disconnected.
    private static let suspensionTime = Duration.milliseconds(1500)
    /// How long requests wait after a suspension while Redis is unreachable.
    private static let resumptionTime = Duration.seconds(1)
    private static let interval = Duration.milliseconds(100)

    package let gate: EventGate
    /// The lag after which requests are refused; `nil` never refuses them.
    private let lagLimit: Duration?
    private let startedAt: UInt64
    private let state: Mutex<State>
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(
        lagLimit: Duration?, now: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        // A process that does not serve does not wait.
        self.gate = EventGate(.open, now: now, sleep: sleep)
        self.lagLimit = lagLimit
        self.now = now
        self.startedAt = now()
        self.state = Mutex(State(startEnd: self.startedAt.adding(Self.startTime)))
        self.sleep = sleep
    }

    package var phase: Phase {
        let phase = self.state.withLock { $0.phase }
        return phase == .current && self.gate.position == .open && !self.gate.isOpen ? .catchingUp : phase
    }

    var time: UInt64 { self.now() }

    /// The time for which events may have been missed.
    package var lag: Duration {
        let since = self.state.withLock { $0.currentAt } ?? self.startedAt
        return .nanoseconds(Int64(clamping: self.now() &- min(since, self.now())))
    }

    package var isRefusing: Bool { self.gate.position == .refused }

    /// Holds requests until all events are applied or ``startTime`` is over.
    func begin() {
        self.state.withLock { self.setGate($0, at: self.now()) }
    }

    /// - Parameter moment: For ``Phase/current``: the time up to which all events are applied, in nanoseconds.
    func move(to phase: Phase, asOf moment: UInt64? = nil) {
        self.state.withLock { state in
            let now = self.now()
            if phase == .cutOff {
                // Requests wait until `startEnd`: the next attempt to connect may succeed.
                guard state.phase != .starting else { return }
                if state.phase == .current, self.lag(state, at: now) > Self.suspensionTime {
                    state.phase = .starting
                    state.startEnd = now.adding(Self.resumptionTime)
                    return self.setGate(state, at: now)
                }
            }
            state.phase = phase
            if phase == .current { state.currentAt = moment ?? now }
            self.setGate(state, at: now)
        }
    }

    /// Updates the gate periodically until it is cancelled.
    func run() async throws {
        while true {
            try await self.sleep(Self.interval)
            self.state.withLock { state in
                let now = self.now()
                if state.phase == .starting, now >= state.startEnd { state.phase = .cutOff }
                self.setGate(state, at: now)
            }
        }
    }

    /// Called under the lock, so that the later of two changes takes effect.
    private func setGate(_ state: State, at now: UInt64) {
        switch state.phase {
        case .starting, .catchingUp: self.gate.move(to: .held)
        case .current, .cutOff:
            if let lagLimit, self.lag(state, at: now) > lagLimit {
                self.gate.move(to: .refused)
            } else if state.phase == .current, let currentAt = state.currentAt {
                self.gate.move(to: .open, until: currentAt.adding(Self.currentTime))
            } else {
                self.gate.move(to: .open)
            }
        }
    }

    private func lag(_ state: State, at now: UInt64) -> Duration {
        guard let currentAt = state.currentAt else { return .seconds(Int64.max / 1_000_000_000) }
        return .nanoseconds(Int64(clamping: now &- min(currentAt, now)))
    }
}

extension UInt64 {
    fileprivate func adding(_ duration: Duration) -> UInt64 { self &+ UInt64(duration / .nanoseconds(1)) }
}

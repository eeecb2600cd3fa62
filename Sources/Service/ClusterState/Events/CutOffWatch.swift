import Flights
package import PosterPipeline
import Synchronization

/// Knows since when a node has not had all events of the others, and moves the gate of its requests. Safe from any thread.
package final class CutOffWatch: Sendable {
    package enum Phase: String, Sendable {
        /// It has not been connected since the start, or since it was suspended.
        case starting
        /// It is connected, and applies what it has missed.
        case catchingUp = "catching-up"
        /// It has applied all events.
        case current
        /// It is not connected.
        case cutOff = "cut-off"
    }

    private struct State {
        var phase = Phase.starting
        /// When it had all events; nil for never since the start.
        var currentAt: UInt64?
        /// Until when requests wait while it is ``Phase/starting``.
        var startEnd: UInt64
    }

    /// How long requests wait after a start while Redis cannot be reached; 3 seconds.
    package static let startTime = Duration.seconds(3)
    /// For how long it has all events after it has read them; 0.95 seconds. Beyond it requests wait for the next reply.
    package static let currentTime = Duration.milliseconds(950)
    /// After which time without events it has been suspended, and has not just lost its connection; and how long requests wait
    /// then while Redis cannot be reached.
    private static let suspensionTime = Duration.milliseconds(1500)
    private static let resumptionTime = Duration.seconds(1)
    /// Between two looks at the time.
    private static let interval = Duration.milliseconds(100)

    package let gate: EventGate
    /// After which time requests are refused; nil for never.
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

    /// In nanoseconds.
    var time: UInt64 { self.now() }

    /// For how long it may have missed events.
    package var lag: Duration {
        let since = self.state.withLock { $0.currentAt } ?? self.startedAt
        return .nanoseconds(Int64(clamping: self.now() &- min(since, self.now())))
    }

    /// Whether requests are refused.
    package var isRefusing: Bool { self.gate.position == .refused }

    /// Holds up requests until all events are applied, or ``startTime`` is over.
    func begin() {
        self.state.withLock { self.setGate($0, at: self.now()) }
    }

    /// - Parameter moment: Before which all events are applied, in nanoseconds; for ``Phase/current``.
    func move(to phase: Phase, asOf moment: UInt64? = nil) {
        self.state.withLock { state in
            let now = self.now()
            if phase == .cutOff {
                // Until the time of the start is over, the next attempt may succeed.
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

    /// Looks at the time until it is cancelled.
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

    /// Under the lock, so that of two changes the later one counts.
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
    /// Nanoseconds and a duration.
    fileprivate func adding(_ duration: Duration) -> UInt64 { self &+ UInt64(duration / .nanoseconds(1)) }
}

import Flights
package import PosterPipeline
import Synchronization

/// Knows since when a node has not had all events of the others, and moves the gate of its requests. Safe from any thread.
package final class CutOffWatch: Sendable {
    package enum Phase: String, Sendable {
        /// It has not been connected since the start.
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
    }

    /// How long requests wait after a start while Redis cannot be reached; 3 seconds.
    package static let startTime = Duration.seconds(3)
    /// Between two looks at the time.
    private static let interval = Duration.milliseconds(100)

    package let gate: EventGate
    /// After which time requests are refused; nil for never.
    private let lagLimit: Duration?
    private let startedAt: UInt64
    private let state = Mutex(State())
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void

    package init(
        lagLimit: Duration?, now: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        // A process that does not serve does not wait.
        self.gate = EventGate(.open, sleep: sleep)
        self.lagLimit = lagLimit
        self.now = now
        self.startedAt = now()
        self.sleep = sleep
    }

    package var phase: Phase { self.state.withLock { $0.phase } }

    /// For how long it may have missed events.
    package var lag: Duration {
        let since = self.state.withLock { $0.currentAt } ?? self.startedAt
        return .nanoseconds(Int64(clamping: self.now() &- min(since, self.now())))
    }

    /// Whether requests are refused.
    package var isRefusing: Bool { self.gate.position == .refused }

    /// Holds up requests until all events are applied, or ``startTime`` is over.
    func begin() {
        self.state.withLock { self.setGate($0) }
    }

    func move(to phase: Phase) {
        self.state.withLock { state in
            // Until the time of the start is over, the next attempt may succeed.
            guard state.phase != .starting || phase != .cutOff else { return }
            state.phase = phase
            if phase == .current { state.currentAt = self.now() }
            self.setGate(state)
        }
    }

    /// Looks at the time until it is cancelled.
    func run() async throws {
        try await self.sleep(Self.startTime)
        self.state.withLock { state in
            if state.phase == .starting { state.phase = .cutOff }
            self.setGate(state)
        }
        while self.lagLimit != nil {
            try await self.sleep(Self.interval)
            self.state.withLock { self.setGate($0) }
        }
    }

    /// Under the lock, so that of two changes the later one counts.
    private func setGate(_ state: State) {
        switch state.phase {
        case .starting, .catchingUp: self.gate.move(to: .held)
        case .current, .cutOff: self.gate.move(to: self.isTooLate(state) ? .refused : .open)
        }
    }

    private func isTooLate(_ state: State) -> Bool {
        guard let lagLimit else { return false }
        guard let currentAt = state.currentAt else { return true }
        return Duration.nanoseconds(Int64(clamping: self.now() &- min(currentAt, self.now()))) > lagLimit
    }
}

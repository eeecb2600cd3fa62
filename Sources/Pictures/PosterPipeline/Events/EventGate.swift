import Flights
import Synchronization

/// Blocks or rejects requests while a node may lack purges and replacements of other nodes: while it applies missed
/// events, and after it was cut off from them for too long. Safe from any thread.
package final class EventGate: Sendable {
    package enum Position: UInt8, Sendable {
        /// Requests are answered, until the end passed to ``EventGate/move(to:until:)``.
        case open
        case held
        /// Requests fail with ``PosterError/cutOff(retryAfter:)``.
        case refused
    }

    private struct State {
        var position: Position
        /// When an open gate closes, in monotonic nanoseconds.
        var end = UInt64.max
        /// Opened, and replaced, when the position or the end changes.
        var change = Gate()
    }

    /// Default maximum time a request waits: 10 seconds.
    package static let defaultWaitLimit = Duration.seconds(10)
    /// `Retry-After` after a timed-out wait and after a refusal, in seconds.
    private static let heldRetrySeconds = 1
    private static let refusedRetrySeconds = 5

    /// When an open gate closes, readable without a lock on event loops; 0 if it is not open.
    private let end: Atomic<UInt64>
    private let state: Mutex<State>
    private let waitLimit: Duration
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - now: A monotonic time in nanoseconds.
    ///   - sleep: Suspends for the given duration.
    package init(
        _ position: Position, waitLimit: Duration = EventGate.defaultWaitLimit,
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.end = Atomic(position == .open ? .max : 0)
        self.state = Mutex(State(position: position))
        self.waitLimit = waitLimit
        self.now = now
        self.sleep = sleep
    }

    /// Costs one atomic load, and a clock reading if the gate has an end.
    package var isOpen: Bool {
        let end = self.end.load(ordering: .acquiring)
        return end == .max || self.now() < end
    }

    package var position: Position { self.state.withLock { $0.position } }

    /// - Parameter end: When an open gate closes, unless it is moved again, in monotonic nanoseconds: from then on
    ///   requests wait. So the gate of a process that was suspended, and read no events meanwhile, is not open when it
    ///   resumes.
    package func move(to position: Position, until end: UInt64 = .max) {
        let change = self.state.withLock { state -> Gate? in
            guard state.position != position || state.end != end else { return nil }
            let isAwaited = state.position != position || !self.isOpen
            (state.position, state.end) = (position, end)
            self.end.store(position == .open ? end : 0, ordering: .releasing)
            guard isAwaited else { return nil }
            defer { state.change = Gate() }
            return state.change
        }
        change?.open()
    }

    /// Waits until requests may be answered.
    /// - Throws: ``PosterError/cutOff(retryAfter:)``, also after ``waitLimit``; `CancellationError`.
    package func pass() async throws {
        guard !self.isOpen else { return }
        try await withTimeout(
            self.waitLimit, throwing: PosterError.cutOff(retryAfter: Self.heldRetrySeconds), sleep: self.sleep
        ) {
            while true {
                let (position, change) = self.state.withLock { ($0.position, $0.change) }
                switch position {
                case .open where self.isOpen: return
                case .open, .held: try await change.wait()
                case .refused: throw PosterError.cutOff(retryAfter: Self.refusedRetrySeconds)
                }
            }
        }
    }
}

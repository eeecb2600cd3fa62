import Flights
import Synchronization

/// Whether a node may answer with what it has: not while it applies what it has missed of other nodes' events, nor when it has
/// been cut off from them for too long. Safe from any thread.
package final class EventGate: Sendable {
    package enum Position: UInt8, Sendable {
        /// Requests are answered, until the moment that the gate was given.
        case open
        /// Requests wait.
        case held
        /// Requests fail with ``PosterError/cutOff(retryAfter:)``.
        case refused
    }

    private struct State {
        var position: Position
        /// Until when it is open, in nanoseconds.
        var end = UInt64.max
        /// Opened when the position or the end changes.
        var change = Gate()
    }

    /// The longest that a request waits; 10 seconds by default.
    package static let defaultWaitLimit = Duration.seconds(10)
    /// `Retry-After` of a request that waited in vain, and of one that is refused, in seconds.
    private static let heldRetrySeconds = 1
    private static let refusedRetrySeconds = 5

    /// Until when it is open, for event loops; 0 when it is not.
    private let end: Atomic<UInt64>
    private let state: Mutex<State>
    private let waitLimit: Duration
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - now: A monotonic time in nanoseconds.
    ///   - sleep: Returns after the duration that it is given.
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

    /// One atomic load, and a look at the time while there is an end.
    package var isOpen: Bool {
        let end = self.end.load(ordering: .acquiring)
        return end == .max || self.now() < end
    }

    package var position: Position { self.state.withLock { $0.position } }

    /// - Parameter end: Until when it is open, unless it is moved again, in nanoseconds: requests wait from then on. A process
    ///   that was suspended, and has read nothing meanwhile, is not open when it goes on.
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

    /// Returns when requests may be answered.
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

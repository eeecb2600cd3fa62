import Flights
import Synchronization

/// Whether a node may answer with what it has: not while it applies what it has missed of other nodes' events, nor when it has
/// been cut off from them for too long. Safe from any thread.
package final class EventGate: Sendable {
    package enum Position: UInt8, Sendable {
        /// Requests are answered.
        case open
        /// Requests wait.
        case held
        /// Requests fail with ``PosterError/cutOff(retryAfter:)``.
        case refused
    }

    private struct State {
        var position: Position
        /// Opened when the position changes.
        var change = Gate()
    }

    /// The longest that a request waits; 10 seconds by default.
    package static let defaultWaitLimit = Duration.seconds(10)
    /// `Retry-After` of a request that waited in vain, and of one that is refused, in seconds.
    private static let heldRetrySeconds = 1
    private static let refusedRetrySeconds = 5

    /// As in ``state``, for event loops.
    private let current: Atomic<UInt8>
    private let state: Mutex<State>
    private let waitLimit: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: Returns after the duration that it is given.
    package init(
        _ position: Position, waitLimit: Duration = EventGate.defaultWaitLimit,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.current = Atomic(position.rawValue)
        self.state = Mutex(State(position: position))
        self.waitLimit = waitLimit
        self.sleep = sleep
    }

    /// One atomic load.
    package var isOpen: Bool { self.current.load(ordering: .acquiring) == Position.open.rawValue }

    package var position: Position { self.state.withLock { $0.position } }

    package func move(to position: Position) {
        let change = self.state.withLock { state -> Gate? in
            guard state.position != position else { return nil }
            state.position = position
            self.current.store(position.rawValue, ordering: .releasing)
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
                case .open: return
                case .held: try await change.wait()
                case .refused: throw PosterError.cutOff(retryAfter: Self.refusedRetrySeconds)
                }
            }
        }
    }
}

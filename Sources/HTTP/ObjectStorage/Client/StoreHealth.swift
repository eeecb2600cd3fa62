package import Flights
import Synchronization

/// The circuit breaker of a store: opens after consecutive failures, and closes after a successful background probe.
///
/// Unlike with an origin, requests are never used as probes: no request waits for a store that is known to fail.
package final class StoreHealth: Sendable {
    private let breaker: Mutex<CircuitBreaker>
    private let now: @Sendable () -> UInt64

    /// - Parameter now: Monotonic time in nanoseconds.
    package init(_ policy: BreakerPolicy, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds) {
        self.breaker = Mutex(CircuitBreaker(policy))
        self.now = now
    }

    package var state: CircuitBreaker.State {
        let now = self.now()
        return self.breaker.withLock { $0.state(at: now) }
    }

    package var isAvailable: Bool { self.state == .closed }

    /// Time until a probe is due: zero if it is due, `nil` if none is needed.
    package var waitForProbe: Duration? {
        switch self.state {
        case .closed: nil
        case .open(let remaining): remaining
        case .halfOpen: .zero
        }
    }

    /// - Returns: `nil` if the request must not be sent.
    func admit(isProbe: Bool) -> CircuitBreaker.Ticket? {
        let now = self.now()
        return self.breaker.withLock { breaker in
            guard breaker.state(at: now) == .closed || (isProbe && breaker.refusal(at: now) == nil) else { return nil }
            return breaker.admit()
        }
    }

    func record(_ outcome: CircuitBreaker.Outcome, of ticket: CircuitBreaker.Ticket) {
        let now = self.now()
        self.breaker.withLock { $0.record(outcome, of: ticket, at: now) }
    }
}

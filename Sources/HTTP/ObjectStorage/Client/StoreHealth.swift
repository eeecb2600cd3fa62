import Flights
package import HTTPFetch
import Synchronization

/// Whether a store is asked at all: closed after failures in a row, until a probe in the background has succeeded.
///
/// Unlike an origin's, requests never probe: none waits for a store that is known to fail.
package final class StoreHealth: Sendable {
    private let breaker: Mutex<CircuitBreaker>
    private let now: @Sendable () -> UInt64

    /// - Parameter now: A monotonic time in nanoseconds.
    package init(_ policy: BreakerPolicy, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds) {
        self.breaker = Mutex(CircuitBreaker(policy))
        self.now = now
    }

    package var state: OriginState.Breaker {
        let now = self.now()
        return self.breaker.withLock { $0.state(at: now) }
    }

    package var isAvailable: Bool { self.state == .closed }

    /// How long until a probe is due; zero when it is, nil when none is needed.
    package var waitForProbe: Duration? {
        switch self.state {
        case .closed: nil
        case .open(let remaining): remaining
        case .halfOpen: .zero
        }
    }

    /// - Returns: nil when nothing may be sent now.
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

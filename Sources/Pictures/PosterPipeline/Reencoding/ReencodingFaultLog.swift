import Flights
import Logging
import Synchronization

/// Logs store errors during re-encoding: the first at once, then one a minute with the number of omitted ones. A disk
/// that cannot be read causes one error per variant.
final class ReencodingFaultLog: Sendable {
    /// Minimum time between logged errors, in nanoseconds.
    static let intervalNanoseconds: UInt64 = 60_000_000_000

    private struct State {
        var rate = RateLimiter(RateLimit(interval: ReencodingFaultLog.intervalNanoseconds, burst: 1))
        /// Errors omitted since the last logged one.
        var unlogged = 0
    }

    private let logger: Logger
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    init(logger: Logger, now: @escaping @Sendable () -> UInt64) {
        self.logger = logger
        self.now = now
    }

    func log(_ error: any Error, of id: PosterID) {
        let now = self.now()
        let unlogged = self.state.withLock { state -> Int? in
            guard case .admitted = state.rate.charge(at: now) else {
                state.unlogged += 1
                return nil
            }
            defer { state.unlogged = 0 }
            return state.unlogged
        }
        guard let unlogged else { return }
        self.logger.warning(
            "A variant cannot be re-encoded",
            metadata: [
                "poster.id": "\(id.loggedText)", "error.message": "\(error)", "unlogged": "\(unlogged)",
            ])
    }
}

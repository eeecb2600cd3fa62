import Logging
import Synchronization

/// Logs the beginning and the end of an outage once each, both as warnings, however many commands fail meanwhile.
final class AvailabilityLog: Sendable {
    private struct State {
        var isLogged = false
        var lastLogged: UInt64?
    }

    /// Least time between two warnings about the beginning of an outage, in nanoseconds: a server may flap.
    private static let quietNanoseconds: UInt64 = 60_000_000_000

    private let address: RedisAddress
    private let logger: Logger
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    init(_ address: RedisAddress, logger: Logger, now: @escaping @Sendable () -> UInt64) {
        self.address = address
        self.logger = logger
        self.now = now
    }

    func failed(_ failure: RedisFailure) {
        let now = self.now()
        let isNews = self.state.withLock { state in
            guard !state.isLogged, state.lastLogged.map({ now &- $0 >= Self.quietNanoseconds }) ?? true else {
                return false
            }
            state.isLogged = true
            state.lastLogged = now
            return true
        }
        guard isNews else { return }
        self.logger.warning(
            "Redis is not available; this node continues without it",
            metadata: ["redis.address": "\(self.address)", "error.message": "\(failure)"])
    }

    func succeeded() {
        let isNews = self.state.withLock { state in
            defer { state.isLogged = false }
            return state.isLogged
        }
        guard isNews else { return }
        self.logger.warning("Redis is available again", metadata: ["redis.address": "\(self.address)"])
    }
}

import Flights
import Logging
import Synchronization

/// A connection of a client: large transfers do not delay commands that requests wait for.
package enum RedisLane: Hashable, Sendable, CaseIterable {
    case interactive
    case background
}

/// Maintains one connection: reconnects with a back-off when it is lost.
final class ConnectionKeeper: Sendable {
    private struct State {
        var connection: RedisConnection?
        /// The reason, if there is no connection.
        var failure = RedisFailure.notConnectedYet
        /// Time of the first failure without a connection, in nanoseconds; `nil` while there is a connection.
        var failingSince: UInt64?
        /// Consecutive failures of attempts and connections.
        var failures = 0
        var connections = 0
    }

    private let dialer: RedisDialer
    private let log: AvailabilityLog?
    private let sleep: @Sendable (Duration) async throws -> Void
    private let random: @Sendable () -> Double
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameter log: Reports the beginning and the end of outages; `nil` disables it.
    init(
        _ dialer: RedisDialer, log: AvailabilityLog?, now: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void, random: @escaping @Sendable () -> Double
    ) {
        self.dialer = dialer
        self.log = log
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    func connection() throws(RedisFailure) -> RedisConnection {
        let (connection, failure) = self.state.withLock { ($0.connection, $0.failure) }
        guard let connection else { throw failure }
        return connection
    }

    /// Why there is no connection; `nil` if there is one.
    var failure: RedisFailure? { self.state.withLock { $0.connection == nil ? $0.failure : nil } }

    /// Time since the first failed attempt; `nil` while connected, and before the first attempt has ended.
    var failureTime: Duration? {
        let since = self.state.withLock { $0.failingSince }
        return since.map { .nanoseconds(Int64(clamping: self.now() &- $0)) }
    }

    var connectionCount: Int { self.state.withLock { $0.connections } }

    var inFlightCount: Int { self.state.withLock { $0.connection }?.inFlightCount ?? 0 }

    func run() async {
        while !Task.isCancelled {
            do {
                let connection = try await self.dialer.connect(isExclusive: false)
                let begin = self.now()
                self.state.withLock { state in
                    state.connection = connection
                    state.failingSince = nil
                    state.connections += 1
                }
                self.log?.succeeded()
                let failure = await connection.closed()
                guard !Task.isCancelled else { return self.lost(.unavailable("this process is stopping")) }
                // A connection that lasted shows that the server works: the next pause is short again.
                let hasLasted = self.now() &- begin >= self.dialer.configuration.backOff.longest.nanoseconds
                self.lost(failure, hasLasted: hasLasted)
                self.log?.failed(failure)
            } catch is CancellationError {
                return self.lost(.unavailable("this process is stopping"))
            } catch {
                let failure = error as? RedisFailure ?? .unavailable("\(error)")
                self.lost(failure)
                self.log?.failed(failure)
            }
            let failures = self.state.withLock { $0.failures }
            do {
                try await self.sleep(
                    self.dialer.configuration.backOff.pause(after: failures, random: self.random()))
            } catch {
                return
            }
        }
    }

    private func lost(_ failure: RedisFailure, hasLasted: Bool = false) {
        let reason: RedisFailure =
            if case .unavailable = failure { failure } else { .unavailable("\(failure)") }
        let now = self.now()
        self.state.withLock { state in
            state.connection = nil
            state.failingSince = state.failingSince ?? now
            state.failure = reason
            state.failures = hasLasted ? 1 : state.failures + 1
        }
    }
}

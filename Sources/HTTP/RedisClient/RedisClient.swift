package import CoreMetrics
import Flights
package import Logging
package import NIOCore
import NIOPosix

/// A client of one Redis server, or of a proxy in front of one.
///
/// All commands share two pipelined connections: one for commands that requests wait for, one for large transfers. A
/// connection to a server that hangs is closed. Its successor is used only after the server has replied to all commands
/// of the handshake, so that no command is sent to a server that is known to be unavailable.
package final class RedisClient: Sendable {
    package let configuration: RedisConfiguration
    private let dialer: RedisDialer
    private let interactive: ConnectionKeeper
    private let background: ConnectionKeeper
    private let metrics: RedisMetrics
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - now: Monotonic time in nanoseconds.
    ///   - sleep: Suspends for a duration; used between attempts to connect.
    ///   - random: Returns a number from 0 to 1, for jitter.
    package init(
        _ configuration: RedisConfiguration, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        logger: Logger, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.configuration = configuration
        self.dialer = RedisDialer(configuration: configuration, group: group)
        let log = AvailabilityLog(configuration.address, logger: logger, now: now)
        self.interactive = ConnectionKeeper(self.dialer, log: log, now: now, sleep: sleep, random: random)
        self.background = ConnectionKeeper(self.dialer, log: nil, now: now, sleep: sleep, random: random)
        self.metrics = RedisMetrics(metrics)
        self.now = now
    }

    package var prefix: String { self.configuration.prefix }

    /// Whether the interactive connection is established.
    package var isConnected: Bool { self.interactive.failure == nil }

    /// Whether the background connection is established.
    package var isConnectedInBackground: Bool { self.background.failure == nil }

    package var status: RedisStatus {
        RedisStatus(
            failure: self.interactive.failure ?? self.background.failure,
            failureTime: self.interactive.failureTime ?? self.background.failureTime,
            connectionCount: self.interactive.connectionCount + self.background.connectionCount,
            inFlightCount: self.interactive.inFlightCount + self.background.inFlightCount)
    }

    /// Connects and reconnects until the task is cancelled. Commands fail while it does not run.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.interactive.run() }
            group.addTask { await self.background.run() }
        }
    }

    /// - Parameters:
    ///   - within: Timeout; the configuration's `commandTimeout` if `nil`.
    ///   - lane: `background` for large transfers that no request waits for.
    /// - Throws: ``RedisFailure``, immediately if there is no connection; `CancellationError`.
    package func send(
        _ command: RedisCommand, within: Duration? = nil, lane: RedisLane = .interactive
    ) async throws -> RedisReply {
        try await self.measure(command.name) {
            let keeper = lane == .interactive ? self.interactive : self.background
            return try await keeper.connection().send(command, within: within)
        }
    }

    /// Runs a script: by its digest first, by its text if the server does not have it.
    /// - Parameters:
    ///   - keys: Full names, prefix included; with the same hash tag for Redis Cluster.
    ///   - within: Timeout of each of up to two commands.
    /// - Throws: The errors of ``send(_:within:lane:)``.
    package func evaluate(
        _ script: RedisScript, keys: [String], _ arguments: [any RedisArgument] = [], within: Duration? = nil,
        lane: RedisLane = .interactive
    ) async throws -> RedisReply {
        do {
            return try await self.send(
                script.command(keys: keys, arguments, isWhole: false), within: within, lane: lane)
        } catch RedisFailure.refused(let text) where text.hasPrefix("NOSCRIPT") {
            return try await self.send(script.command(keys: keys, arguments, isWhole: true), within: within, lane: lane)
        }
    }

    /// Opens an exclusive connection for commands that block, such as `XREAD BLOCK`, and closes it after `body`.
    /// - Throws: ``RedisFailure`` if connecting fails, immediately while ``isConnected`` is false; errors of `body`;
    ///   `CancellationError`.
    package func withConnection<Result: Sendable>(
        _ body: (RedisConnection) async throws -> Result
    ) async throws -> Result {
        if let failure = self.interactive.failure { throw failure }
        let connection = try await self.dialer.connect(isExclusive: true)
        defer { connection.close(because: .unavailable("the connection is no longer needed")) }
        return try await body(connection)
    }

    /// Connects once, exchanges one command and disconnects; does not need ``run()``.
    /// - Throws: ``RedisFailure``, `CancellationError`.
    package func probe() async throws {
        let connection = try await self.dialer.connect(isExclusive: true)
        defer { connection.close(because: .unavailable("the connection is no longer needed")) }
        _ = try await connection.send(RedisCommand("PING"), within: nil)
    }

    private func measure(
        _ operation: String, _ body: () async throws -> RedisReply
    ) async throws -> RedisReply {
        let begin = self.now()
        do {
            let reply = try await body()
            self.metrics.record(operation, nil, nanoseconds: self.now() &- begin)
            return reply
        } catch let failure as RedisFailure {
            // Expected: the script is sent again with its text.
            if case .refused(let text) = failure, text.hasPrefix("NOSCRIPT") { throw failure }
            self.metrics.record(operation, failure, nanoseconds: self.now() &- begin)
            throw failure
        }
    }
}

/// State of the connections to a server.
package struct RedisStatus: Hashable, Sendable {
    /// Why commands are not sent; `nil` if both connections are established.
    package let failure: RedisFailure?
    /// Time since the first failed attempt to connect; `nil` while connected, and before the first attempt has ended.
    package let failureTime: Duration?
    /// Number of connections established since the start.
    package let connectionCount: Int
    package let inFlightCount: Int

    package var isConnected: Bool { self.failure == nil }
}

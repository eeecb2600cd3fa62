package import CoreMetrics
import Flights
package import Logging
package import NIOCore
import NIOPosix

/// A client of one Redis server, or of a proxy that leads to one.
///
/// It has two connections, which all commands share in the order of their arrival: one for what requests wait for, one for
/// what is large. A server that hangs loses its connections; a new one is used once it has replied to all that a connection
/// begins with, so that no command is sent to a server that is known to be away.
package final class RedisClient: Sendable {
    package let configuration: RedisConfiguration
    private let dialer: RedisDialer
    private let interactive: ConnectionKeeper
    private let background: ConnectionKeeper
    private let metrics: RedisMetrics
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - now: A monotonic time in nanoseconds.
    ///   - sleep: Returns after the duration that it is given; for pauses between attempts to connect.
    ///   - random: From 0 to 1.
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

    /// Of all keys.
    package var prefix: String { self.configuration.prefix }

    /// Whether commands that requests wait for are sent.
    package var isConnected: Bool { self.interactive.failure == nil }

    /// Whether commands are sent that no request waits for.
    package var isConnectedInBackground: Bool { self.background.failure == nil }

    package var status: RedisStatus {
        RedisStatus(
            failure: self.interactive.failure ?? self.background.failure,
            failureTime: self.interactive.failureTime ?? self.background.failureTime,
            connectionCount: self.interactive.connectionCount + self.background.connectionCount,
            inFlightCount: self.interactive.inFlightCount + self.background.inFlightCount)
    }

    /// Connects, and connects again, until the task is cancelled. Nothing is sent without it.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.interactive.run() }
            group.addTask { await self.background.run() }
        }
    }

    /// Sends a command and returns its reply.
    /// - Parameters:
    ///   - within: The configuration's `commandTimeout` when nil.
    ///   - lane: The background's for what is large and no request waits for.
    /// - Throws: ``RedisFailure``, at once when there is no connection; `CancellationError`.
    package func send(
        _ command: RedisCommand, within: Duration? = nil, lane: RedisLane = .interactive
    ) async throws -> RedisReply {
        try await self.measure(command.name) {
            let keeper = lane == .interactive ? self.interactive : self.background
            return try await keeper.connection().send(command, within: within)
        }
    }

    /// Runs a script.
    /// - Parameters:
    ///   - keys: Whole names, with the prefix; with the same hash tag for Redis Cluster.
    ///   - within: Of each of up to two commands.
    /// - Throws: As ``send(_:within:lane:)``.
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

    /// Gives a connection of its own to commands that block, such as `XREAD BLOCK`; it is closed afterwards.
    /// - Throws: ``RedisFailure`` when it cannot be had, also at once while ``isConnected`` is false; what `body` throws;
    ///   `CancellationError`.
    package func withConnection<Result: Sendable>(
        _ body: (RedisConnection) async throws -> Result
    ) async throws -> Result {
        if let failure = self.interactive.failure { throw failure }
        let connection = try await self.dialer.connect(isExclusive: true)
        defer { connection.close(because: .unavailable("it was not wanted any more")) }
        return try await body(connection)
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
            // The first of two tries, not an error.
            if case .refused(let text) = failure, text.hasPrefix("NOSCRIPT") { throw failure }
            self.metrics.record(operation, failure, nanoseconds: self.now() &- begin)
            throw failure
        }
    }
}

/// What is known of a server.
package struct RedisStatus: Hashable, Sendable {
    /// Why commands are not sent; nil when they are.
    package let failure: RedisFailure?
    /// Time since the first failed attempt to connect; nil while commands are sent, and before the first attempt has ended.
    package let failureTime: Duration?
    /// Connections since the start.
    package let connectionCount: Int
    /// Commands whose reply is not there.
    package let inFlightCount: Int

    package var isConnected: Bool { self.failure == nil }
}

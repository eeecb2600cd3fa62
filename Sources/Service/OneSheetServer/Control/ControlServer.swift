import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The server of the control socket: executes requests of commands in the process that holds the data directory.
///
/// A connection carries one request and its events, all of them JSON lines. A command cancels its request by closing
/// its side.
struct ControlServer: Service {
    /// Sends an event. Returns when the kernel has accepted it; throws `CancellationError` if the command has
    /// disconnected.
    typealias Emit = @Sendable (ControlEvent) async throws -> Void
    /// Executes a request and emits all events, including the last; errors are sent as failures.
    typealias Handler = @Sendable (ControlRequest, @escaping Emit) async throws -> Void

    static let connectionLimit = 8
    static let requestLimit = 1 << 20
    /// The deadline for the request line.
    private static let requestTime = TimeAmount.seconds(10)

    private typealias Connection = NIOAsyncChannel<ByteBuffer, Never>

    private final class Load: Sendable {
        private let count = Atomic<Int>(0)

        func add() -> Int { self.count.add(1, ordering: .relaxed).newValue }

        func remove() {
            self.count.subtract(1, ordering: .relaxed)
        }
    }

    /// The data directory; the caller holds its lock while this runs.
    let directory: String
    let logger: Logger
    /// Nanoseconds of a monotonic clock.
    let now: @Sendable () -> UInt64
    let handler: Handler

    /// Serves until the group shuts down, which cancels requests in progress. If the directory cannot hold a socket,
    /// logs an error and keeps running: posters are served all the same.
    func run() async throws {
        let socket: Int32
        do {
            socket = try ControlSocket.listen(in: self.directory)
        } catch {
            self.logger.error("Commands cannot reach this server", metadata: ["error.message": "\(error)"])
            try await gracefulShutdown()
            return
        }
        defer { ControlSocket.remove(from: self.directory) }
        try await BackgroundService { try await self.serve(socket) }.run()
    }

    private func serve(_ socket: Int32) async throws {
        let load = Load()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(socket) { channel in
            channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
        }
        try await channel.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask {
                        let isWelcome = load.add() <= Self.connectionLimit
                        await self.serve(connection, isWelcome: isWelcome)
                        load.remove()
                    }
                }
            }
        }
    }

    private func serve(_ connection: Connection, isWelcome: Bool) async {
        let channel = connection.channel
        do {
            try await withTaskCancellationHandler {
                try await connection.executeThenClose { inbound in
                    let events = ControlEventWriter(channel, now: self.now)
                    // Above the limit of connections the request is read and discarded: an earlier response could be
                    // lost.
                    var lines = LineReader(inbound, limit: isWelcome ? Self.requestLimit : 0)
                    let request = try await self.request(from: &lines, on: channel) { failure in
                        try await events.send(.failed(reason: isWelcome ? "\(failure)" : Self.crowded))
                    }
                    guard let request else { return }
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            await self.answer(request, events)
                            channel.close(promise: nil)
                        }
                        try await lines.untilEnd()
                        group.cancelAll()
                    }
                }
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch is CancellationError {
            // The command has disconnected, or the server is shutting down.
        } catch {
            self.logger.debug("The connection of a command failed", metadata: ["error.message": "\(error)"])
        }
    }

    /// The response to a connection above the limit.
    static let crowded = "\(Self.connectionLimit) commands are already in progress; try again when one is done"

    /// - Returns: `nil` without a valid request, after the failure was sent.
    private func request(
        from lines: inout LineReader, on channel: any Channel, refuse: (ControlFailure) async throws -> Void
    ) async throws -> ControlRequest? {
        let limit = channel.eventLoop.scheduleTask(in: Self.requestTime) { channel.close(promise: nil) }
        defer { limit.cancel() }
        do {
            guard let line = try await lines.next() else { return nil }
            return try JSONDecoder().decode(ControlRequest.self, from: Data(line.readableBytesView))
        } catch let failure as ControlFailure {
            try await refuse(failure)
        } catch is DecodingError {
            try await refuse(.garbled)
        }
        return nil
    }

    private func answer(_ request: ControlRequest, _ events: ControlEventWriter) async {
        do {
            do {
                try await self.handler(request) { try await events.send($0) }
                try await events.flush()
            } catch let error where !(error is CancellationError) {
                // The command reports the error: the server works.
                self.logger.info("A command failed", metadata: ["error.message": "\(error)"])
                try await events.send(.failed(reason: "\(error)"))
            }
        } catch {
            // The command has disconnected, or the server is shutting down.
        }
    }
}

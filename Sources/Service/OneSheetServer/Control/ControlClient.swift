import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// A command's connection to the server that holds a data directory. It carries one request.
package final class ControlClient: Sendable {
    /// What comes back.
    package typealias Events = AsyncThrowingStream<ControlEvent, any Error>
    private typealias Connection = NIOAsyncChannel<ByteBuffer, Never>

    /// An event, in bytes.
    private static let eventLimit = 16 << 20
    /// Events that wait to be read; the server sends about ten a second.
    private static let unreadLimit = 1024

    /// nil once the request was sent.
    private let socket: Mutex<Int32?>

    private init(_ socket: Int32) {
        self.socket = Mutex(socket)
    }

    deinit {
        if let socket = self.socket.withLock({ $0 }) { close(socket) }
    }

    /// Connects to the server that holds `directory`.
    ///
    /// - Returns: nil when none does.
    /// - Throws: ``ControlFailure/unusable(path:reason:)``.
    package static func connect(to directory: String) throws(ControlFailure) -> ControlClient? {
        try ControlSocket.connect(in: directory).map { ControlClient($0) }
    }

    /// Sends the request, once. To stop reading the events, or to cancel the task, cancels the request.
    ///
    /// - Returns: Events, of which the last says how it ended. They throw ``ControlFailure`` when there is none.
    package func send(_ request: ControlRequest) -> Events {
        guard let socket = self.socket.withLock({ $0.take() }) else { preconditionFailure("one request a connection") }
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(Self.unreadLimit)) { continuation in
            let task = Task {
                do {
                    try await Self.exchange(request, on: socket) { event in
                        if case .dropped = continuation.yield(event) { throw ControlFailure.unread }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private static func exchange(
        _ request: ControlRequest, on socket: Int32, _ receive: @Sendable (ControlEvent) throws -> Void
    ) async throws {
        let connection: Connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .withConnectedSocket(socket) { channel in
                channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
            }
        try await connection.executeThenClose { inbound in
            let line = try JSONLine.encode(request)
            guard line.utf8.count <= ControlServer.requestLimit else {
                throw ControlFailure.tooLong(limit: ControlServer.requestLimit)
            }
            var lines = LineReader(inbound, limit: Self.eventLimit)
            do {
                try await connection.channel.writeAndFlush(ByteBuffer(string: line + "\n"))
                while let line = try await lines.next() {
                    let event = try JSONDecoder().decode(ControlEvent.self, from: Data(line.readableBytesView))
                    try receive(event)
                    if event.isLast { return }
                }
            } catch is DecodingError {
                throw ControlFailure.garbled
            } catch is IOError {
                // Reset by a server that was killed.
                throw ControlFailure.ended
            }
            try Task.checkCancellation()
            throw ControlFailure.ended
        }
    }
}

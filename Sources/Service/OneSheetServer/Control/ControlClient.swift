import FoundationEssentials
import NIOCore
import NIOPosix

/// Sends requests of commands to the server that holds a data directory.
package enum ControlClient {
    /// The maximum size of an event, in bytes.
    private static let eventLimit = 16 << 20

    private typealias Connection = NIOAsyncChannel<ByteBuffer, Never>

    /// Sends a request and waits for its end; cancelling the task cancels the request.
    ///
    /// - Parameter receive: Called with every event; the last one is the request's outcome.
    /// - Returns: false if no server holds `directory`.
    /// - Throws: ``ControlFailure`` if there is no last event, and the error of `receive`.
    package static func send(
        _ request: ControlRequest, toServerOf directory: String, receive: (ControlEvent) throws -> Void
    ) async throws -> Bool {
        guard let socket = try ControlSocket.connect(in: directory) else { return false }
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
        return true
    }
}

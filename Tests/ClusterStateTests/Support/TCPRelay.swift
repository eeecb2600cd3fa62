import NIOCore
import NIOPosix
import Synchronization

/// Forwards connections to a server on this machine. Cutting it ends them and refuses new ones.
final class TCPRelay: Sendable {
    /// Channels of both sides.
    private final class Connections: Sendable {
        private let state = Mutex<(channels: [any Channel], isCut: Bool)>(([], false))

        /// - Returns: Whether the channel may stay open.
        func add(_ channel: any Channel) -> Bool {
            self.state.withLock { state in
                guard !state.isCut else { return false }
                state.channels.append(channel)
                return true
            }
        }

        func set(isCut: Bool) {
            let ended = self.state.withLock { state in
                state.isCut = isCut
                defer { state.channels = [] }
                return state.channels
            }
            for channel in ended { channel.close(promise: nil) }
        }
    }

    /// Forwards bytes and the end of the stream to the peer.
    private final class Forwarder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let peer: any Channel

        init(to peer: any Channel) {
            self.peer = peer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.peer.writeAndFlush(Self.unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.peer.close(promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    let port: Int
    private let listener: any Channel
    private let connections: Connections

    /// - Parameter port: The server's port on 127.0.0.1.
    init(to port: Int) async throws {
        let connections = Connections()
        self.connections = connections
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { accepted in
                guard connections.add(accepted) else { return accepted.close() }
                return ClientBootstrap(group: accepted.eventLoop).connect(host: "127.0.0.1", port: port)
                    .flatMapThrowing { server in
                        guard connections.add(server) else { throw ChannelError.eof }
                        try accepted.pipeline.syncOperations.addHandler(Forwarder(to: server))
                        try server.pipeline.syncOperations.addHandler(Forwarder(to: accepted))
                    }
                    .flatMap { accepted.setOption(.autoRead, value: true) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    deinit {
        self.listener.close(promise: nil)
        self.connections.set(isCut: true)
    }

    func cut() { self.connections.set(isCut: true) }

    func restore() { self.connections.set(isCut: false) }
}

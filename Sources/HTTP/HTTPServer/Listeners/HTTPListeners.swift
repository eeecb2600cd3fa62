package import CoreMetrics
package import Logging
package import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// Accepts connections on all listening addresses of the service, and closes them gracefully.
///
/// Hummingbird's `Server` does not fit: it binds one address and stops accepting at its limit, while here one limit
/// covers all sockets, inherited ones too, and idle connections are closed in favour of waiting ones.
package struct HTTPListeners: Service {
    private struct Listener: Sendable {
        let place: ListenAddress
        let channel: NIOAsyncChannel<ConnectionHandoff<ConnectionServer.Connection>, Never>
        let quiescing: ServerQuiescingHelper
        let file: UnixSocketFile?
    }

    /// Default backlog: maximum number of clients that wait in the kernel at each address.
    package static let defaultBacklog = 4096

    private let places: [ListenAddress]
    private let connections: ConnectionServer
    private let limit: ConnectionLimiter
    private let backlog: Int
    private let group: any EventLoopGroup
    private let logger: Logger
    private let whenListening: @Sendable ([ListenAddress]) async -> Void

    /// - Parameters:
    ///   - places: The addresses to listen on; at least one.
    ///   - bounds: Limits of open connections, at all addresses together.
    ///   - backlog: Maximum number of clients that wait in the kernel at each address; an inherited socket has its own.
    ///   - whenListening: Called when all addresses accept connections, with the ports that the system chose.
    package init(
        places: [ListenAddress], connections: ConnectionServer, bounds: ConnectionLimiter.Bounds,
        metrics: any MetricsFactory = MetricsSystem.factory, backlog: Int = HTTPListeners.defaultBacklog,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, logger: Logger,
        whenListening: @escaping @Sendable ([ListenAddress]) async -> Void
    ) {
        self.places = places
        self.connections = connections
        self.limit = ConnectionLimiter(bounds, metrics: metrics, logger: logger)
        self.backlog = backlog
        self.group = group
        self.logger = logger
        self.whenListening = whenListening
    }

    /// Serves until the group shuts down; then no more connections are accepted, and requests in flight are finished.
    ///
    /// - Throws: ``ListeningFailure`` that names the address; nothing listens in this case.
    package func run() async throws {
        let listeners = try await self.listen()
        defer { for listener in listeners { listener.file?.remove() } }
        await withGracefulShutdownHandler {
            await self.whenListening(listeners.map(Self.place))
            await withDiscardingTaskGroup { group in
                for listener in listeners { group.addTask { await self.serve(listener) } }
            }
        } onGracefulShutdown: {
            for listener in listeners { listener.quiescing.initiateShutdown(promise: nil) }
        }
    }

    private func serve(_ listener: Listener) async {
        let (connections, logger) = (self.connections, self.logger)
        await withDiscardingTaskGroup { group in
            do {
                try await listener.channel.executeThenClose { inbound in
                    for try await connection in inbound {
                        group.addTask { await connections.serve(connection, logger: logger) }
                    }
                }
            } catch is CancellationError {
                // The shutdown period is over.
            } catch {
                logger.error(
                    "Stopped accepting connections",
                    metadata: ["poster.place": "\(listener.place)", "error.message": "\(error)"])
            }
        }
    }

    // MARK: Binding

    private func listen() async throws -> [Listener] {
        var listeners: [Listener] = []
        do {
            for place in self.places { listeners.append(try await self.listen(at: place)) }
            // Only once all are bound: a client accepted by a start that fails would be cut off.
            for listener in listeners { try await listener.channel.channel.setOption(.autoRead, value: true).get() }
            return listeners
        } catch {
            for listener in listeners {
                listener.file?.remove()
                // The process ends anyway if a socket does not close.
                try? await listener.channel.channel.close()
            }
            throw error
        }
    }

    private func listen(at place: ListenAddress) async throws -> Listener {
        let quiescing = ServerQuiescingHelper(group: self.group)
        let bootstrap = self.bootstrap(quiescing)
        let setUp = { @Sendable [connections, limit, logger] (channel: any Channel) in
            channel.eventLoop.makeCompletedFuture { try limit.watch(channel) }.flatMap {
                connections.setUp(channel, isSecure: place.isSecure, logger: logger)
            }
        }
        switch place.socket {
        case .port(let host, let port):
            do {
                let channel = try await bootstrap.bind(host: host, port: port, childChannelInitializer: setUp)
                return Listener(place: place, channel: channel, quiescing: quiescing, file: nil)
            } catch let error as IOError {
                throw ListeningFailure.system("cannot listen on \(host):\(port)", error.errnoCode)
            } catch let error as SocketAddressError {
                throw ListeningFailure("\(host) is not an address to listen on: \(error)")
            }
        case .file(let path, let mode):
            let file = try UnixSocketFile(path: path, mode: mode, backlog: Int32(clamping: self.backlog))
            do {
                let channel = try await bootstrap.bind(file.descriptor, childChannelInitializer: setUp)
                return Listener(place: place, channel: channel, quiescing: quiescing, file: file)
            } catch {
                file.remove()
                throw error
            }
        case .inherited(let descriptor, _):
            let channel = try await bootstrap.bind(descriptor, childChannelInitializer: setUp)
            return Listener(place: place, channel: channel, quiescing: quiescing, file: nil)
        }
    }

    private func bootstrap(_ quiescing: ServerQuiescingHelper) -> ServerBootstrap {
        let limit = self.limit
        return ServerBootstrap(group: self.group)
            .serverChannelOption(.backlog, value: Int32(clamping: self.backlog))
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ConnectionLimiter.Gate(limit))
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
    }

    /// The address with the port that the system chose.
    private static func place(_ listener: Listener) -> ListenAddress {
        guard case .port(let host, _) = listener.place.socket, let port = listener.channel.channel.localAddress?.port
        else { return listener.place }
        return ListenAddress(.port(host: host, port), isSecure: listener.place.isSecure)
    }
}

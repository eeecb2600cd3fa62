import Glibc
import HTTPServer
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// One GET request to a server on this machine, with or without TLS.
struct HealthProbe {
    let place: ListenAddress
    /// The time limit of the whole exchange, in seconds.
    let timeout: Int

    enum Failure: Error, CustomStringConvertible {
        case refused(reason: String)
        case unusable(any Error)
        case tlsFailed(any Error)

        var description: String {
            switch self {
            case .refused(let reason): "cannot connect: \(reason)"
            case .unusable(let error): "\(error)"
            case .tlsFailed(let error): "the TLS connection failed: \(error)"
            }
        }
    }

    /// - Returns: The head of the response; `nil` if none arrived in time.
    /// - Throws: ``Failure``.
    func head(of path: String) async throws -> HTTPResponseHead? {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let head = loop.makePromise(of: HTTPResponseHead?.self)
        let deadline = loop.scheduleTask(in: .seconds(Int64(self.timeout))) { head.succeed(nil) }
        defer { deadline.cancel() }
        do {
            let context = self.place.isSecure ? try Self.tlsContext() : nil
            let bootstrap = ClientBootstrap(group: loop).connectTimeout(.seconds(Int64(self.timeout)))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let context {
                            // nil: addresses are no server names (RFC 6066, section 3).
                            try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: nil))
                        }
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(Exchange(path: path, head: head))
                    }
                }
            _ = try await self.connect(bootstrap).get()
        } catch {
            // Completes the promise if the initialiser did not run.
            head.succeed(nil)
            throw self.place.isSecure ? Failure.tlsFailed(error) : .refused(reason: Self.reason(error))
        }
        do {
            return try await head.futureResult.get()
        } catch is IOError where !self.place.isSecure {
            return nil  // reset before the response
        } catch {
            throw self.place.isSecure ? Failure.tlsFailed(error) : .unusable(error)
        }
    }

    /// Accepts any certificate: its names are for clients elsewhere.
    private static func tlsContext() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        return try NIOSSLContext(configuration: configuration)
    }

    private func connect(_ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
        switch self.place.socket {
        case .file(let path, _): bootstrap.connect(unixDomainSocketPath: path)
        // A server that listens on all addresses listens on this one.
        case .port("0.0.0.0", let port), .port("::", let port): bootstrap.connect(host: "127.0.0.1", port: port)
        case .port(let host, let port): bootstrap.connect(host: host, port: port)
        case .inherited(let descriptor, _): bootstrap.withConnectedSocket(descriptor)
        }
    }

    /// The system's message for the last address tried.
    private static func reason(_ error: any Error) -> String {
        let code: Int32 =
            switch error {
            case let error as IOError: error.errnoCode
            case let error as NIOConnectionError:
                (error.connectionErrors.last?.error as? IOError)?.errnoCode
                    ?? (error.connectionErrors.isEmpty ? EADDRNOTAVAIL : ETIMEDOUT)
            case SocketAddressError.unixDomainSocketPathTooLong: ENAMETOOLONG
            case ChannelError.connectTimeout: ETIMEDOUT
            default: EIO
            }
        return String(cString: strerror(code))
    }

    /// Sends the request and receives the head of its final response.
    private final class Exchange: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias OutboundOut = HTTPClientRequestPart

        private let path: String
        private let head: EventLoopPromise<HTTPResponseHead?>

        init(path: String, head: EventLoopPromise<HTTPResponseHead?>) {
            self.path = path
            self.head = head
        }

        func channelActive(context: ChannelHandlerContext) {
            let request = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: self.path,
                headers: ["Host": "localhost", "Connection": "close"])
            context.write(self.wrapOutboundOut(.head(request)), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = self.unwrapInboundIn(data), head.status.code >= 200 else { return }
            self.head.succeed(head)
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.head.succeed(nil)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.head.fail(error)
            context.close(promise: nil)
        }
    }
}

import HTTPTypes
package import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOPosix
package import NIOSSL

/// An HTTP/2 connection over TLS that does not verify the server's certificate.
package struct HTTP2Client: Sendable {
    /// A request and the parts of its response so far. It may be dropped at any time; its stream ends with the
    /// connection.
    package struct Exchange: Sendable {
        package let channel: any Channel
        fileprivate let parts: AsyncThrowingStream<HTTPResponsePart, any Error>

        package func cancel() async {
            // Fails with the stream's error code, which reports the cancellation.
            _ = try? await self.channel.close()
        }
    }

    package struct Answer {
        package var status = 0
        package var body: [UInt8] = []
        package var text: String { String(decoding: self.body, as: UTF8.self) }
    }

    /// The stream ended before the response was complete.
    package struct Incomplete: Error {}

    package let channel: any Channel
    private let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>

    /// - Parameter window: The initial window of streams in bytes; `nil` for HTTP/2's default.
    package init(port: Int, window: Int? = nil) async throws {
        var configuration = NIOHTTP2Handler.Configuration()
        if let window {
            configuration.connection.initialSettings = [HTTP2Setting(parameter: .initialWindowSize, value: window)]
        }
        let context = try Self.trusting(protocols: ["h2"])
        (self.channel, self.streams) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { [configuration] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
                    return (
                        channel,
                        try pipeline.configureAsyncHTTP2Pipeline(mode: .client, configuration: configuration) {
                            $0.eventLoop.makeSucceededVoidFuture()
                        }
                    )
                }
            }
    }

    package static func trusting(protocols: [String]) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }

    /// Sends a request without reading the response: the server sends as much as fits into the windows.
    package func ask(_ target: String) async throws -> Exchange {
        let exchange = try await self.streams.openStream { stream in
            stream.setOption(.autoRead, value: false).flatMapThrowing {
                let (parts, continuation) = AsyncThrowingStream.makeStream(of: HTTPResponsePart.self)
                try stream.pipeline.syncOperations.addHandlers([
                    HTTP2FramePayloadToHTTPClientCodec(), Receiver(continuation),
                ])
                return Exchange(channel: stream, parts: parts)
            }
        }
        let head = HTTPRequest(method: .get, scheme: "https", authority: "localhost", path: target)
        exchange.channel.write(HTTPRequestPart.head(head), promise: nil)
        try await exchange.channel.writeAndFlush(HTTPRequestPart.end(nil))
        return exchange
    }

    package func get(_ target: String) async throws -> Answer {
        try await self.answer(of: try await self.ask(target))
    }

    /// Reads the response to its end.
    ///
    /// - Throws: ``Incomplete``, or the error that ended the stream.
    package func answer(of exchange: Exchange) async throws -> Answer {
        try await exchange.channel.setOption(.autoRead, value: true).get()
        exchange.channel.read()
        var answer = Answer()
        for try await part in exchange.parts {
            switch part {
            case .head(let head): answer.status = head.status.code
            case .body(let bytes): answer.body += bytes.readableBytesView
            case .end: return answer
            }
        }
        throw Incomplete()
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = HTTPResponsePart
        private let parts: AsyncThrowingStream<HTTPResponsePart, any Error>.Continuation

        init(_ parts: AsyncThrowingStream<HTTPResponsePart, any Error>.Continuation) {
            self.parts = parts
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.parts.yield(self.unwrapInboundIn(data))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.parts.finish(throwing: error)
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.parts.finish()
        }
    }
}

import HTTPTypes
package import NIOCore
import NIOHTTP2
package import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOPosix
package import NIOSSL

/// One HTTP/2 connection over TLS that trusts everybody.
package struct HTTP2Client: Sendable {
    package typealias Exchange = NIOAsyncChannel<HTTPResponsePart, HTTPRequestPart>

    package struct Answer {
        package var status = 0
        package var body: [UInt8] = []
        package var text: String { String(decoding: self.body, as: UTF8.self) }
    }

    package let channel: any Channel
    private let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Exchange>

    /// - Parameter window: What a stream takes before it is read, in bytes; HTTP/2's default when nil.
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
                            stream in
                            stream.eventLoop.makeCompletedFuture { try Exchange(wrappingChannelSynchronously: stream) }
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

    /// Asks for something and does not read the answer: as much comes as fits into the windows.
    package func ask(_ target: String) async throws -> Exchange {
        let exchange = try await self.streams.openStream { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPClientCodec())
                return try Exchange(wrappingChannelSynchronously: stream)
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

    package func answer(of exchange: Exchange) async throws -> Answer {
        try await exchange.executeThenClose { inbound, _ in
            var answer = Answer()
            for try await part in inbound {
                switch part {
                case .head(let head): answer.status = head.status.code
                case .body(let bytes): answer.body += bytes.readableBytesView
                case .end: return answer
                }
            }
            return answer
        }
    }
}

import CoreMetrics
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPServer

/// Streams with a closed flow-control window.
struct StalledStreamTests {
    /// A closed window: HEADERS are sent, and frames of data are kept.
    private final class ClosedWindow: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch self.unwrapOutboundIn(data) {
            case .head: promise?.succeed()
            case .body, .end: promise.map { context.channel.closeFuture.cascade(to: $0) }
            }
        }
    }

    private func channel() throws -> EmbeddedChannel {
        let budget = SendBudget(limit: 1 << 20, metrics: NOOPMetricsHandler.instance)
        let channel = EmbeddedChannel(
            handlers: [ClosedWindow(), StreamDeadlines(ConnectionDeadlines.Limits(), budget: budget)])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test("a response that cannot be sent closes its stream in time, also without a body", arguments: [0, 5])
    func responsesThatAreNotTakenEnd(length: Int) throws {
        let channel = try self.channel()
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        if length > 0 { channel.write(HTTPResponsePart.body(ByteBuffer(repeating: 7, count: length)), promise: nil) }
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        let limits = ConnectionDeadlines.Limits()
        channel.embeddedEventLoop.advanceTime(by: limits.send)
        #expect(channel.isActive)
        // Looked at periodically, from the first look on.
        channel.embeddedEventLoop.advanceTime(by: limits.period + limits.period)
        #expect(!channel.isActive)
    }
}

public import NIOCore
import NIOHTTP1

/// Lets connections end as their clients expect (RFC 9112, 9.3).
///
/// Hummingbird ends a connection for a `Connection` header that is exactly `close`. Clients also write `Close`, put it in a
/// list, or speak HTTP/1.0, where closing is the rule; they would wait for an end that comes only with the idle timeout.
public enum ConnectionPersistence {
    /// Give it to `.http1(configuration: .init(additionalChannelHandlers:))`.
    ///
    /// It stands where requests have no version any more, so it puts the real handler right behind the decoder.
    public final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        /// Whatever passes.
        public typealias InboundIn = NIOAny

        /// For one connection.
        public init() {}

        /// Part of `ChannelHandler`.
        public func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<RequestDecoder>.self)
                try pipeline.addHandler(Normaliser(), position: .after(decoder))
            } catch {
                context.fireErrorCaught(error)
            }
        }
    }

    private final class Normaliser: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = self.unwrapInboundIn(data), !head.isKeepAlive || head.version != .http1_1
            else {
                context.fireChannelRead(data)
                return
            }
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // There is no 100 in HTTP/1.0, whatever such a client expects (RFC 9110, 10.1.1).
            if head.version != .http1_1 { head.headers.remove(name: "Expect") }
            context.fireChannelRead(self.wrapInboundOut(.head(head)))
        }
    }
}

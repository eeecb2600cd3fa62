import NIOCore
import NIOHTTP1

extension PosterHits {
    /// Tells the socket's end which requests the decoder found and which of them are answered.
    final class RequestEnd: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        private let socketEnd: SocketEnd

        init(_ socketEnd: SocketEnd) {
            self.socketEnd = socketEnd
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head):
                // Behind CONNECT there may be another protocol.
                let isLast = !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT
                self.socketEnd.requestBegan(isLast: isLast, context: context)
            case .body: break
            case .end: self.socketEnd.requestEnded()
            }
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.socketEnd.leaveAll()
            context.fireErrorCaught(error)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let part = self.unwrapOutboundIn(data)
            context.write(data, promise: promise)
            if case .end = part { self.socketEnd.answerEnded() }
        }
    }
}

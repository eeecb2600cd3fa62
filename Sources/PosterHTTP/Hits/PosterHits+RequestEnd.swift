import NIOCore
import NIOHTTP1

extension PosterHits {
    /// Tells the socket's end which requests the decoder found and which of them are answered, and whoever wants to
    /// know what they were.
    final class RequestEnd: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        private let socketEnd: SocketEnd
        private let whenAnswered: (@Sendable (RequestFacts) -> Void)?
        /// Of the requests that are not answered yet, when somebody wants them; as many as Hummingbird holds itself.
        private var facts = CircularBuffer<(facts: RequestFacts, start: NIODeadline)>()

        init(_ socketEnd: SocketEnd, whenAnswered: (@Sendable (RequestFacts) -> Void)?) {
            self.socketEnd = socketEnd
            self.whenAnswered = whenAnswered
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head):
                // The decoder stops at a change of protocols.
                let isLast =
                    !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT
                    || head.headers.contains(name: "Upgrade")
                self.socketEnd.requestBegan(isLast: isLast, context: context)
                if self.whenAnswered != nil {
                    let facts = RequestFacts(
                        method: head.method.rawValue, target: head.uri, status: 0, bodyLength: 0, duration: .zero,
                        way: .route)
                    self.facts.append((facts, context.eventLoop.now))
                }
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
            self.note(part, context)
            context.write(data, promise: promise)
            if case .end = part { self.socketEnd.answerEnded() }
        }

        private func note(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
            guard let whenAnswered = self.whenAnswered, !self.facts.isEmpty else { return }
            switch part {
            case .head(let head): self.facts[self.facts.startIndex].facts.status = Int(head.status.code)
            case .body(let body): self.facts[self.facts.startIndex].facts.bodyLength += body.readableBytes
            case .end:
                var (facts, start) = self.facts.removeFirst()
                facts.duration = context.eventLoop.now - start
                whenAnswered(facts)
            }
        }
    }
}

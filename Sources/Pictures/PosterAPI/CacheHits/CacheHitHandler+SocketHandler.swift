import HTTPServer
import NIOCore
import NIOHTTP1

extension CacheHitHandler {
    /// Sees the bytes of a connection before the decoder does, and keeps those that it answers itself.
    ///
    /// It does so only between requests, and while no answer of the ordinary way is missing: answers never overtake
    /// each other. Belongs to the connection's event loop.
    final class SocketHandler: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        /// The last four bytes of a head: "\r\n\r\n".
        private static let headEnding: UInt32 = 0x0D0A_0D0A
        /// Requests that came together and are answered at once; the others of the loop want their turn.
        private static let hitsPerRead = 64

        private let responder: CacheHitResponder
        private let deadlines: ConnectionDeadlines.SocketEnd?
        /// nil where connections are not watched.
        private let rest: ConnectionRest?
        private let slowPathPeriod: TimeAmount
        private let recorder: RequestRecorder?

        /// The client or its proxy; nil before the first bytes.
        private var peer: ClientAddress?
        /// Whether everything is left to the ordinary way from now on.
        private var isDisabled = false
        /// Requests of the ordinary way that are not answered yet.
        private var pendingRequests = 0
        /// Whether the decoder's last word was the end of a request.
        private var hasRequestEnded = true
        /// The last four bytes that the decoder got. Where they end a head and no request is unfinished, the decoder
        /// holds nothing; all others may be in the midst of a head.
        private var tail = SocketHandler.headEnding
        /// When the ordinary way last had a request.
        private var slowPathTime: NIODeadline
        private var mustFlush = false
        /// Whether anything of what is being read was passed on.
        private var hasPassed = false

        init(
            responder: CacheHitResponder, deadlines: ConnectionDeadlines.SocketEnd?, rest: ConnectionRest?,
            slowPathPeriod: TimeAmount, now: NIODeadline, recorder: RequestRecorder?
        ) {
            self.responder = responder
            self.deadlines = deadlines
            self.rest = rest
            self.slowPathPeriod = slowPathPeriod
            self.slowPathTime = now
            self.recorder = recorder
        }

        // MARK: What the decoder and the encoder say

        func requestBegan(isLast: Bool, context: ChannelHandlerContext) {
            self.pendingRequests += 1
            self.hasRequestEnded = false
            self.slowPathTime = context.eventLoop.now
            if isLast { self.isDisabled = true }
        }

        func requestEnded() {
            self.hasRequestEnded = true
        }

        func responseEnded() {
            self.pendingRequests -= 1
        }

        func disable() {
            self.isDisabled = true
        }

        // MARK: The socket

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = self.unwrapInboundIn(data)
            let now = context.eventLoop.now
            // A connection without a place waits for one on the ordinary way.
            if !self.isDisabled, self.pendingRequests == 0, self.isDecoderEmpty,
                now - self.slowPathTime < self.slowPathPeriod,
                self.rest?.place.isTaken != false
            {
                let peer = self.peer ?? ClientAddress(context.remoteAddress)
                self.peer = peer
                var count = 0
                while count < Self.hitsPerRead, self.hasRoom(context),
                    let reply = self.responder.reply(to: bytes, from: peer)
                {
                    bytes.moveReaderIndex(forwardBy: reply.requestLength)
                    self.write(reply, since: now, context)
                    count += 1
                }
            }
            guard bytes.readableBytes > 0 else {
                self.deadlines?.requestArrived()
                return
            }
            self.pass(bytes, context)
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            if self.mustFlush { self.flush(context) }
            guard self.hasPassed else { return }
            self.hasPassed = false
            context.fireChannelReadComplete()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            // The server stops: what arrives from now on is refused, or answered, as ever.
            if event is ChannelShouldQuiesceEvent { self.isDisabled = true }
            context.fireUserInboundEventTriggered(event)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            self.isDisabled = true
            context.close(mode: mode, promise: promise)
        }

        /// Whether the client has taken enough of what was written. One that does not is left to the ordinary way,
        /// which waits.
        private func hasRoom(_ context: ChannelHandlerContext) -> Bool {
            if context.channel.isWritable { return true }
            guard self.mustFlush else { return false }
            self.flush(context)
            return context.channel.isWritable
        }

        private func write(_ reply: CacheHitResponder.Reply, since start: NIODeadline, _ context: ChannelHandlerContext)
        {
            context.write(self.wrapOutboundOut(.byteBuffer(reply.head)), promise: nil)
            context.write(self.wrapOutboundOut(.byteBuffer(reply.headEnd)), promise: nil)
            if let body = reply.body { context.write(self.wrapOutboundOut(.byteBuffer(body)), promise: nil) }
            self.mustFlush = true
            self.rest?.answered(isRefusal: false)
            guard let recorder else { return }
            var facts = RequestFacts(
                method: reply.isHead ? "HEAD" : "GET", target: reply.target, route: reply.route,
                status: reply.status, bodyLength: reply.body?.readableBytes ?? 0,
                duration: context.eventLoop.now - start, way: .eventLoop)
            if recorder.wantsNames { facts.client = reply.client }
            facts.cacheStatus = CacheStatus.hit
            facts.requestID = reply.requestID
            recorder.record(facts)
        }

        private func flush(_ context: ChannelHandlerContext) {
            self.mustFlush = false
            context.flush()
        }

        private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            for byte in bytes.readableBytesView.suffix(4) { self.tail = self.tail << 8 | UInt32(byte) }
            self.hasPassed = true
            context.fireChannelRead(self.wrapInboundOut(bytes))
        }

        private var isDecoderEmpty: Bool { self.hasRequestEnded && self.tail == Self.headEnding }
    }
}

import HTTPServer
import NIOCore
import NIOHTTP1

extension CacheHitHandler {
    /// Precedes the decoder: answers cache hits and consumes their bytes, passes all other bytes on.
    ///
    /// Active only between requests and while no slow-path response is pending, so that responses stay in order.
    /// Belongs to the connection's event loop.
    final class SocketHandler: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        /// The last four bytes of a head: "\r\n\r\n".
        private static let headEnding: UInt32 = 0x0D0A_0D0A
        /// The maximum number of pipelined requests answered per read, so that other connections of the loop are
        /// served.
        private static let hitsPerRead = 64

        private let responder: CacheHitResponder
        private let deadlines: ConnectionDeadlines.SocketHandler?
        /// `nil` if idle connections are not tracked.
        private let rest: IdleTracker?
        private let slowPathPeriod: TimeAmount
        private let eventLoop: any EventLoop
        private let recorder: RequestRecorder?
        /// The socket for direct writes of responses; `nil` with TLS.
        private var socket: DirectSocket?

        private var mayHaveUnsent = false
        /// The client or its proxy; `nil` before the first bytes.
        private var peer: ClientAddress?
        /// Whether all further requests take the slow path.
        private var isDisabled = false
        /// Slow-path requests without a complete response.
        private var pendingRequests = 0
        /// Whether the decoder's last part was the end of a request.
        private var hasRequestEnded = true
        /// The last four bytes passed to the decoder. If they end a head and no request is unfinished, the decoder
        /// buffers nothing; otherwise it may be inside a head.
        private var tail = SocketHandler.headEnding
        private var slowPathTime: NIODeadline
        private var mustFlush = false
        private var isAnswering = false
        /// Whether any request of the current read was answered.
        private var hasHit = false
        /// Whether any bytes of the current read were passed on.
        private var hasPassed = false

        init(
            responder: CacheHitResponder, deadlines: ConnectionDeadlines.SocketHandler?, rest: IdleTracker?,
            slowPathPeriod: TimeAmount, socket: DirectSocket?, eventLoop: any EventLoop, recorder: RequestRecorder?
        ) {
            self.responder = responder
            self.deadlines = deadlines
            self.rest = rest
            self.slowPathPeriod = slowPathPeriod
            self.eventLoop = eventLoop
            self.slowPathTime = eventLoop.now
            self.recorder = recorder
            self.socket = socket
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // A failing flush reads the remaining bytes: the client is gone, and earlier bytes are not passed on yet.
            guard !self.isAnswering else { return }
            var bytes = self.unwrapInboundIn(data)
            let now = context.eventLoop.now
            // A connection above the limit waits for its place on the slow path.
            if !self.isDisabled, self.pendingRequests == 0, self.isDecoderEmpty,
                now - self.slowPathTime < self.slowPathPeriod,
                self.rest?.permit.isTaken != false
            {
                let peer = self.peer ?? ClientAddress(context.remoteAddress)
                self.peer = peer
                var count = 0
                self.isAnswering = true
                defer { self.isAnswering = false }
                hits: while count < Self.hitsPerRead, self.hasRoom(context) {
                    switch self.responder.outcome(of: bytes, from: peer) {
                    case .hit(let reply):
                        bytes.moveReaderIndex(forwardBy: reply.requestLength)
                        self.send(reply, isLast: bytes.readableBytes == 0, since: now, context)
                        count += 1
                    case .miss(let miss):
                        ClientConnectionState.of(context.channel)?.carry(miss)
                        break hits
                    case .passed: break hits
                    }
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
            if self.hasPassed {
                self.hasPassed = false
                context.fireChannelReadComplete()
            } else if self.hasHit {
                // Nothing has changed for the handlers behind this one. NIO's usual read event through all of them
                // costs up to 9 % of a hit (perf, 256 connections).
                context.read()
            }
            self.hasHit = false
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            self.mayHaveUnsent = true
            context.write(data, promise: promise)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            // The server stops: the slow path answers or refuses further requests.
            if event is ChannelShouldQuiesceEvent { self.isDisabled = true }
            context.fireUserInboundEventTriggered(event)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            self.isDisabled = true
            context.close(mode: mode, promise: promise)
        }

        /// Whether the socket is writable, after a flush if needed. Slow readers are left to the slow path, which
        /// waits.
        private func hasRoom(_ context: ChannelHandlerContext) -> Bool {
            if context.channel.isWritable { return true }
            guard self.mustFlush else { return false }
            self.flush(context)
            return context.channel.isWritable
        }

        private func send(
            _ reply: CacheHitResponder.Reply, isLast: Bool, since start: NIODeadline, _ context: ChannelHandlerContext
        ) {
            // Recorded before it is sent, so that a client with the response finds it counted.
            self.record(reply, since: start)
            self.hasHit = true
            var parts = DirectSocket.Parts(head: reply.head, headEnd: reply.headEnd, body: reply.body)
            // Pipelined responses are sent together.
            if isLast, !self.mustFlush, self.isIdle(context), let sent = self.socket?.send(parts) {
                self.deadlines?.noteSent(sent)
                parts.removeFirst(sent)
            }
            self.queue(parts.head, context)
            self.queue(parts.headEnd, context)
            if let body = parts.body { self.queue(body, context) }
            self.rest?.answered(isRefusal: false)
        }

        private func record(_ reply: CacheHitResponder.Reply, since start: NIODeadline) {
            guard let recorder else { return }
            var facts = RequestRecord(
                method: reply.isHead ? "HEAD" : "GET", target: reply.target, route: reply.route,
                status: reply.status, bodyLength: reply.body?.readableBytes ?? 0,
                duration: self.eventLoop.now - start, way: .eventLoop)
            if recorder.wantsNames { facts.client = reply.client }
            facts.cacheStatus = CacheStatus.hit
            facts.requestID = reply.requestID
            recorder.record(facts)
        }

        private func queue(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            guard bytes.readableBytes > 0 else { return }
            context.write(self.wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
            (self.mustFlush, self.mayHaveUnsent) = (true, true)
        }

        /// Whether the channel has no unsent bytes that a direct write would overtake.
        private func isIdle(_ context: ChannelHandlerContext) -> Bool {
            guard context.channel.isActive else { return false }
            if self.mayHaveUnsent {
                // Fails for a channel that was just closed.
                guard (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0 else { return false }
                self.mayHaveUnsent = false
            }
            return true
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

extension CacheHitHandler.SocketHandler: RequestObserver {
    func requestBegan(_ head: HTTPRequestHead) {
        self.pendingRequests += 1
        self.hasRequestEnded = false
        self.slowPathTime = self.eventLoop.now
        // After CONNECT another protocol may follow.
        if !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT { self.isDisabled = true }
    }

    func requestArrived() {
        self.hasRequestEnded = true
    }

    func responseEnded() {
        self.pendingRequests -= 1
    }

    func requestFailed() {
        self.isDisabled = true
    }
}

package import HTTPServer
package import NIOCore
import NIOHTTP1
package import PosterPipeline
import Synchronization

/// The fast path: answers requests for variants in memory synchronously on the connection's event loop, without a task.
/// Every other request is passed on unchanged to the decoder and to Hummingbird, the slow path.
///
/// One per server, with one ``CacheHitResponder`` per event loop; its caches are bounded.
package final class CacheHitHandler: Sendable {
    private let makeResponder: @Sendable () -> CacheHitResponder
    private let responders = Mutex<[ObjectIdentifier: NIOLoopBound<CacheHitResponder>]>([:])
    private let slowPathPeriod: TimeAmount
    private let recorder: RequestRecorder?
    private let targets: ParsedTargetCache

    /// The parameters must be those of ``PosterRouter``, so that both paths give the same responses.
    ///
    /// - Parameters:
    ///   - caching: The lifetimes in `Cache-Control`.
    ///   - policies: The policy in force.
    ///   - clients: Trusted proxies and rate limits.
    ///   - serverName: For `Server`, the same as Hummingbird's; nil leaves it out.
    ///   - idleTimeout: Hummingbird's own, which does not see hits: one request in a quarter of that time takes the slow
    ///     path, so that a connection in use is not closed as idle.
    ///   - recorder: Records the requests answered here; the routes record the others.
    package init(
        pipeline: PosterPipeline, caching: ClientCaching = ClientCaching(),
        policies: ReloadablePicturePolicy = ReloadablePicturePolicy(), clients: ClientPolicy = ClientPolicy(),
        serverName: String?,
        idleTimeout: TimeAmount?, recorder: RequestRecorder? = nil
    ) {
        let cacheControl = CacheControl(caching)
        let targets = ParsedTargetCache(policies: policies, variantBudget: pipeline.status.variantByteBudget)
        self.targets = targets
        self.makeResponder = {
            CacheHitResponder(
                pipeline: pipeline, cacheControl: cacheControl, targets: targets, clients: clients,
                serverName: serverName, wantsNames: recorder?.wantsNames == true)
        }
        self.slowPathPeriod = idleTimeout.map { .nanoseconds($0.nanoseconds / 4) } ?? .nanoseconds(.max)
        self.recorder = recorder
    }

    /// How many parsed targets are cached, and their estimated cost in bytes.
    package var usage: (count: Int, cost: Int) { self.targets.usage }

    /// Returns the responder of this event loop; called on that loop.
    fileprivate func responder(on eventLoop: any EventLoop) -> CacheHitResponder {
        let id = ObjectIdentifier(eventLoop)
        if let responder = self.responders.withLock({ $0[id] }) { return responder.value }
        let responder = NIOLoopBound(self.makeResponder(), eventLoop: eventLoop)
        self.responders.withLock { $0[id] = responder }
        return responder.value
    }

    /// Installs the fast path on a connection: stands behind its decoder, and adds the handler that does the work in
    /// front of it.
    package final class Installer: ChannelInboundHandler, RemovableChannelHandler {
        package typealias InboundIn = NIOAny
        private let hits: CacheHitHandler

        package init(_ hits: CacheHitHandler) {
            self.hits = hits
        }

        package func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
                // Absent when the server has no deadlines.
                let deadlines = try? pipeline.handler(type: ConnectionDeadlines.SocketHandler.self)
                let socketHandler = SocketHandler(
                    responder: self.hits.responder(on: context.eventLoop), deadlines: deadlines,
                    rest: IdleTracker.of(context.channel), slowPathPeriod: self.hits.slowPathPeriod,
                    eventLoop: context.eventLoop, recorder: self.hits.recorder)
                try pipeline.handler(type: RequestBoundaryHandler.self).add(socketHandler)
                try pipeline.addHandler(socketHandler, position: .before(encoder))
            } catch {
                context.fireErrorCaught(error)
            }
        }
    }
}

extension CacheHitHandler {
    /// Stands in front of the decoder: answers cache hits and consumes their bytes, passes all others on.
    ///
    /// Only between requests, and while no slow-path response is pending, so that responses stay in order. Belongs to the
    /// connection's event loop.
    final class SocketHandler: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        /// The last four bytes of a head: "\r\n\r\n".
        private static let headEnding: UInt32 = 0x0D0A_0D0A
        /// The most pipelined requests answered per read, so that other connections of the loop are served.
        private static let hitsPerRead = 64

        private let responder: CacheHitResponder
        private let deadlines: ConnectionDeadlines.SocketHandler?
        /// nil where idle connections are not tracked.
        private let rest: IdleTracker?
        private let slowPathPeriod: TimeAmount
        private let eventLoop: any EventLoop
        private let recorder: RequestRecorder?

        /// The client or its proxy; nil before the first bytes.
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
        /// When the last slow-path request began.
        private var slowPathTime: NIODeadline
        private var mustFlush = false
        /// Whether any bytes of the current read were passed on.
        private var hasPassed = false

        init(
            responder: CacheHitResponder, deadlines: ConnectionDeadlines.SocketHandler?, rest: IdleTracker?,
            slowPathPeriod: TimeAmount, eventLoop: any EventLoop, recorder: RequestRecorder?
        ) {
            self.responder = responder
            self.deadlines = deadlines
            self.rest = rest
            self.slowPathPeriod = slowPathPeriod
            self.eventLoop = eventLoop
            self.slowPathTime = eventLoop.now
            self.recorder = recorder
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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
                hits: while count < Self.hitsPerRead, self.hasRoom(context) {
                    switch self.responder.outcome(of: bytes, from: peer) {
                    case .hit(let reply):
                        bytes.moveReaderIndex(forwardBy: reply.requestLength)
                        self.write(reply, since: now, context)
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
            guard self.hasPassed else { return }
            self.hasPassed = false
            context.fireChannelReadComplete()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            // The server stops: the slow path answers or refuses what arrives from now on.
            if event is ChannelShouldQuiesceEvent { self.isDisabled = true }
            context.fireUserInboundEventTriggered(event)
        }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            self.isDisabled = true
            context.close(mode: mode, promise: promise)
        }

        /// Whether the socket is writable, after a flush if needed. A slow reader is left to the slow path, which waits.
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
            var facts = RequestRecord(
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

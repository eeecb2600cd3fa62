public import HTTPServer
public import NIOCore
import NIOHTTP1
public import PosterPipeline
import Synchronization

/// Answers requests for posters that are in memory on the connection's event loop, without a task and without reading
/// more of the request than it takes. Everything else goes on to Hummingbird as it came.
///
/// One for a server; what it remembers of requests is bounded, and belongs to an event loop each.
public final class CacheHitHandler: Sendable {
    private let makeResponder: @Sendable () -> CacheHitResponder
    private let responders = Mutex<[ObjectIdentifier: NIOLoopBound<CacheHitResponder>]>([:])
    private let slowPathPeriod: TimeAmount
    private let recorder: RequestRecorder?
    private let targets: ParsedTargetCache

    /// What is served must be as in ``PosterRouter``.
    ///
    /// - Parameters:
    ///   - caching: How long clients and caches may keep a poster.
    ///   - policies: What may be asked for.
    ///   - clients: How they are told apart, and what each may do.
    ///   - serverName: For `Server`, the same as Hummingbird's; nil leaves it out.
    ///   - idleTimeout: Hummingbird's own. It knows nothing of what is answered here: one request in a quarter of that
    ///     time goes the ordinary way, so that a connection in use is not idle to it.
    ///   - recorder: is told of every request that is answered here; the others are told by the routes.
    public init(
        pipeline: PosterPipeline, caching: ClientCaching = ClientCaching(),
        policies: PicturePolicies = PicturePolicies(), clients: ClientRules = ClientRules(), serverName: String?,
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

    /// How many targets are remembered, and what they cost in bytes by estimate.
    public var usage: (count: Int, cost: Int) { self.targets.usage }

    /// - Returns: What belongs to the loop that this is called on.
    fileprivate func responder(on eventLoop: any EventLoop) -> CacheHitResponder {
        let id = ObjectIdentifier(eventLoop)
        if let responder = self.responders.withLock({ $0[id] }) { return responder.value }
        let responder = NIOLoopBound(self.makeResponder(), eventLoop: eventLoop)
        self.responders.withLock { $0[id] = responder }
        return responder.value
    }

    /// Give it to `.http1(configuration: .init(additionalChannelHandlers:))`, after ``ConnectionDeadlines/Handler``.
    ///
    /// It stands where requests are whole already, so it puts the real handlers around the decoder.
    public final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        /// Whatever passes.
        public typealias InboundIn = NIOAny
        private let hits: CacheHitHandler

        /// For one connection.
        public init(_ hits: CacheHitHandler) {
            self.hits = hits
        }

        /// Part of `ChannelHandler`.
        public func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<RequestDecoder>.self)
                let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
                // There need not be any.
                let deadlines = try? pipeline.handler(type: ConnectionDeadlines.SocketEnd.self)
                let socketHandler = SocketHandler(
                    responder: self.hits.responder(on: context.eventLoop), deadlines: deadlines,
                    rest: ConnectionRest.of(context.channel),
                    slowPathPeriod: self.hits.slowPathPeriod, now: context.eventLoop.now,
                    recorder: self.hits.recorder)
                try pipeline.addHandler(RequestObserver(socketHandler), position: .after(decoder))
                try pipeline.addHandler(socketHandler, position: .before(encoder))
            } catch {
                context.fireErrorCaught(error)
            }
        }
    }
}

extension CacheHitHandler {
    /// Tells the socket's end which requests the decoder found and which of them are answered.
    final class RequestObserver: ChannelDuplexHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        private let socketHandler: SocketHandler

        init(_ socketHandler: SocketHandler) {
            self.socketHandler = socketHandler
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head):
                // Behind CONNECT there may be another protocol.
                let isLast = !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT
                self.socketHandler.requestBegan(isLast: isLast, context: context)
            case .body: break
            case .end: self.socketHandler.requestEnded()
            }
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.socketHandler.disable()
            context.fireErrorCaught(error)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let part = self.unwrapOutboundIn(data)
            context.write(data, promise: promise)
            if case .end = part { self.socketHandler.responseEnded() }
        }
    }
}

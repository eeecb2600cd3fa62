import NIOCore
package import NIOHTTP1

/// A `ByteToMessageDecoder` for HTTP/1.1 requests that continues after a request with `Upgrade`.
///
/// NIO's decoder stops permanently after `Connection: upgrade` with `Upgrade`, because another protocol may follow.
/// This server never changes protocols and ignores `Upgrade` (RFC 9110, 7.8), so the bytes that follow are the next
/// request: a new decoder of NIO reads them.
final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    private let limits: NIOHTTPDecoderLimitConfiguration
    private var decoder: HTTPRequestDecoder
    /// Whether a request that may have stopped the decoder ended since it was last examined.
    private var mayHaveStopped = false
    private var isUpgrade = false

    init(limits: NIOHTTPDecoderLimitConfiguration = .init()) {
        self.limits = limits
        self.decoder = HTTPRequestDecoder(limitConfiguration: limits)
    }

    /// - Parameters:
    ///   - checks: Handlers between the decoder and the handler that notifies the observers.
    /// - Returns: The handlers of one connection, in order.
    static func handlers(
        limits: NIOHTTPDecoderLimitConfiguration = .init(), checks: [any ChannelHandler] = [],
        observers: [any RequestObserver] = []
    ) -> [any ChannelHandler] {
        let decoder = RequestDecoder(limits: limits)
        return [ByteToMessageHandler(decoder)] + checks + [RequestBoundaryHandler([decoder] + observers)]
    }

    func decoderAdded(context: ChannelHandlerContext) {
        self.decoder.decoderAdded(context: context)
    }

    func decoderRemoved(context: ChannelHandlerContext) {
        self.decoder.decoderRemoved(context: context)
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        var state = try self.decoder.decode(context: context, buffer: &buffer)
        while self.mayHaveStopped {
            self.mayHaveStopped = false
            guard self.isBetweenRequests(context) else { break }
            self.decoder.decoderRemoved(context: context)
            self.decoder = HTTPRequestDecoder(limitConfiguration: self.limits)
            self.decoder.decoderAdded(context: context)
            if buffer.readableBytes > 0 { state = try self.decoder.decode(context: context, buffer: &buffer) }
        }
        return state
    }

    func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        _ = try self.decode(context: context, buffer: &buffer)
        return try self.decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    /// Whether the decoder can be replaced: it has stopped, or holds no part of a next request. NIO does not report
    /// that, so the function passes an end of input to the decoder: that is an error only in the middle of a request,
    /// and does not change the parser.
    private func isBetweenRequests(_ context: ChannelHandlerContext) -> Bool {
        var nothing = ByteBuffer()
        return (try? self.decoder.decodeLast(context: context, buffer: &nothing, seenEOF: true)) != nil
    }
}

extension RequestDecoder: RequestObserver {
    /// Whether the request stops NIO's decoder depends on its parsing of `Connection`, which is not repeated here.
    func requestBegan(_ head: HTTPRequestHead) {
        self.isUpgrade = head.headers.contains(name: "Upgrade")
    }

    func requestArrived() {
        self.mayHaveStopped = self.mayHaveStopped || self.isUpgrade
    }
}

/// Observes the boundaries of the requests and responses of an HTTP/1.1 connection, on its event loop.
package protocol RequestObserver: AnyObject {
    func requestBegan(_ head: HTTPRequestHead)
    /// The request's body is complete.
    func requestArrived()
    func responseEnded()
    /// The request cannot be read.
    func requestFailed()
}

extension RequestObserver {
    package func responseEnded() {}
    package func requestFailed() {}
}

/// Notifies observers. Follows the decoder and its checks in the pipeline.
package final class RequestBoundaryHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var observers: [any RequestObserver]

    init(_ observers: [any RequestObserver]) {
        self.observers = observers
    }

    package func add(_ observer: any RequestObserver) {
        self.observers.append(observer)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head): for observer in self.observers { observer.requestBegan(head) }
        case .body: break
        case .end: for observer in self.observers { observer.requestArrived() }
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        for observer in self.observers { observer.requestFailed() }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = self.unwrapOutboundIn(data)
        context.write(data, promise: promise)
        if case .end = part { for observer in self.observers { observer.responseEnded() } }
    }
}

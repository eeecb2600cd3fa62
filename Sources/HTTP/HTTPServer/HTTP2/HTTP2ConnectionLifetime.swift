import NIOCore
import NIOHTTP2

/// Closes HTTP/2 connections: idle ones, all when the server stops, and those with a client that leaves or has left.
///
/// A first `GOAWAY` announces that no more requests are accepted; a second one, after the client's `PING` reply, names
/// the last (RFC 9113, 6.8); requests in flight are answered. Confined to the connection's event loop.
///
/// Both bypass NIO's handler, which would take the first one for the end of a connection without requests, and a frame
/// of a stream after the last one for an error that closes the connection. So it opens such streams, and they are
/// refused.
final class HTTP2ConnectionLifetime: ChannelDuplexHandler, NIOHTTP2StreamDelegate, NIOHTTP2FrameDelegate,
    @unchecked Sendable
{
    // Unchecked: as a delegate it must be Sendable; the multiplexer calls it on the connection's event loop only.
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private enum Stage {
        case serving
        /// `GOAWAY` was sent, and the `PING` after it has no reply yet.
        case announced
        /// New requests are refused.
        case leaving
    }

    /// The payload of the `PING`, which the client echoes.
    private static let echo = HTTP2PingData(withInteger: 0x0E5_0F_5E47)

    private let idleTimeout: TimeAmount
    private let headTimeout: TimeAmount
    private let limits: HTTP2Limits
    private var stage = Stage.serving
    /// Whether the connection closes because of an error. TLS delivers bytes until the client has closed its half.
    private var isBroken = false
    /// Streams refused since ``refusalsBegan``.
    private var refusals = 0
    private var refusalsBegan = NIODeadline.now()
    private var openStreams: Set<HTTP2StreamID> = []
    private var lastStream = HTTP2StreamID.rootStream
    /// The last stream that a `GOAWAY` has allowed: a later one may not allow more (RFC 9113, 6.8).
    private var lastAllowedStream = HTTP2StreamID.maxID
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - idleTimeout: Timeout of a connection without requests.
    ///   - headTimeout: Timeout of the whole head of a connection's first request.
    ///   - limits: Maximum number of concurrent streams, and the time to wait for the client's `PING` reply.
    init(idleTimeout: TimeAmount, headTimeout: TimeAmount, limits: HTTP2Limits) {
        self.idleTimeout = idleTimeout
        self.headTimeout = headTimeout
        self.limits = limits
    }

    // MARK: Requests

    /// Whether a stream that is being set up is above the limit, or comes after the last one that is served. A client
    /// that exceeds the limit too often loses the connection.
    func refusesStream() -> Bool {
        guard self.stage == .leaving || self.openStreams.count >= self.limits.streams else { return false }
        let now = NIODeadline.now()
        if now - self.refusalsBegan > self.limits.window { (self.refusals, self.refusalsBegan) = (0, now) }
        self.refusals += 1
        if self.refusals == self.limits.refusals, let context = self.context {
            self.writeGoAway(.enhanceYourCalm, context)
            self.closeSoon()
        }
        return true
    }

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
        self.openStreams.insert(id)
        // Later streams are refused.
        if self.stage != .leaving { self.lastStream = max(self.lastStream, id) }
        if self.stage == .serving { self.wait(nil) }
        // NIO does not report the end of a stream that a handler closes before the client can be told; and one that is
        // closed while its head is read ends before its creation is reported.
        channel.closeFuture.whenComplete { _ in self.ended(id) }
    }

    /// Called before the stream's channel has closed.
    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) { self.ended(id) }

    private func ended(_ id: HTTP2StreamID) {
        if self.openStreams.remove(id) != nil, self.openStreams.isEmpty { self.lastStreamClosed() }
    }

    private func lastStreamClosed() {
        switch self.stage {
        case .serving: self.wait(self.idleTimeout)
        case .announced: break
        case .leaving: self.closeSoon()
        }
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.wait(min(self.idleTimeout, self.headTimeout))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.wait(nil)
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.wait(nil)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data).payload {
        case .ping(Self.echo, ack: true) where self.stage == .announced: self.leave(context)
        // The client shuts the connection down (RFC 9113, 6.8): it is closed after the requests in flight, instead of
        // waiting for the idle timeout.
        case .goAway: self.announce(context)
        default: break
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            self.announce(context)
        } else if event as? ChannelEvent == .inputClosed {
            // After closing its half, a client can neither widen windows nor cancel requests.
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// A `GOAWAY` with a code precedes an error that closes the connection. NIO's own may allow less than this
    /// handler's.
    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(let last, let code, _) = frame.payload else { return }
        self.lastAllowedStream = min(self.lastAllowedStream, last)
        if code != .noError { self.isBroken = true }
    }

    /// NIO's handler also reports stream errors here. It has reset the stream, and the others continue (RFC 9113,
    /// 5.4.2).
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Its GOAWAY follows another one, and would allow more streams again, so it was not sent. This handler sends
        // one instead, unless the client has been notified of an error, and only once: a failure of this one is
        // reported here as well.
        if error is NIOHTTP2Errors.RaisedGoawayLastStreamID, !self.isBroken {
            self.isBroken = true
            self.writeGoAway(.protocolError, context)
        }
        guard self.isBroken || !(error is any NIOHTTP2Error) else { return }
        context.flush()
        context.close(promise: nil)
    }

    private func announce(_ context: ChannelHandlerContext) {
        guard self.stage == .serving, !self.isBroken else { return }
        self.stage = .announced
        self.writeFarewell(.maxID, context)
        self.write(.ping(Self.echo, ack: false), context)
        context.flush()
        self.wait(self.limits.farewell)
    }

    private func leave(_ context: ChannelHandlerContext) {
        self.stage = .leaving
        self.wait(nil)
        self.lastAllowedStream = min(self.lastAllowedStream, self.lastStream)
        self.writeFarewell(self.lastAllowedStream, context)
        context.flush()
        if self.openStreams.isEmpty { self.closeSoon() }
    }

    /// Writes a `GOAWAY` without an error past NIO's handler, which then names no later stream in its own ones.
    private func writeFarewell(_ last: HTTP2StreamID, _ context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard !self.isBroken, let handler = try? pipeline.context(handlerType: NIOHTTP2Handler.self) else { return }
        if let limit = try? pipeline.handler(type: HTTP2LastStream.self) {
            limit.last = last
        } else {
            // Cannot fail: NIO's handler is present.
            try? pipeline.addHandler(HTTP2LastStream(last), position: .before(handler.handler))
        }
        // NIO's handler flushes only its own writes.
        handler.writeAndFlush(NIOAny(IOData.byteBuffer(HTTP2LastStream.farewell(last))), promise: nil)
    }

    /// Asynchronous: during the write that ended the last stream, TLS would not send it any more.
    private func closeSoon() {
        guard let context = self.context else { return }
        context.eventLoop.assumeIsolated().execute {
            context.flush()
            context.close(promise: nil)
        }
    }

    private func writeGoAway(_ code: HTTP2ErrorCode, _ context: ChannelHandlerContext) {
        self.lastAllowedStream = min(self.lastAllowedStream, self.lastStream)
        self.write(.goAway(lastStreamID: self.lastAllowedStream, errorCode: code, opaqueData: nil), context)
    }

    private func write(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        context.write(self.wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }

    /// - Parameter time: `nil` only cancels the current timer.
    private func wait(_ time: TimeAmount?) {
        self.timer?.cancel()
        self.timer = nil
        guard let time, let context = self.context else { return }
        self.timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            switch self.stage {
            case .serving: self.announce(context)
            case .announced: self.leave(context)
            case .leaving: break
            }
        }
    }
}

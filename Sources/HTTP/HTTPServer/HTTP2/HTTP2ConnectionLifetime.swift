import NIOCore
import NIOHTTP2

/// Ends HTTP/2 connections: idle ones, those of a server that stops, and those of a client that has left.
///
/// A first `GOAWAY` announces that no more requests are taken; a second one, after the client's `PING` reply, names the
/// last (RFC 9113, 6.8); requests under way are answered. Belongs to the connection's event loop.
///
/// Both pass NIO's handler by. It would take the first one for the end of a connection without requests, and a frame of a
/// stream after the last one for an error that ends the connection. So it opens such streams, and they are refused.
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
        /// `GOAWAY` was sent, and the `PING` behind it has no reply yet.
        case announced
        /// Nothing that arrives counts any more.
        case leaving
    }

    /// What the client sends back when it has heard.
    private static let echo = HTTP2PingData(withInteger: 0x0E5_0F_5E47)

    private let idleTimeout: TimeAmount
    private let headTimeout: TimeAmount
    private let limits: HTTP2Limits
    private var stage = Stage.serving
    /// Whether the connection ends for an error. TLS delivers what arrives until the client has ended its half.
    private var isBroken = false
    /// Streams refused since ``refusalsBegan``.
    private var refusals = 0
    private var refusalsBegan = NIODeadline.now()
    private var streamCount = 0
    private var lastStream = HTTP2StreamID.rootStream
    /// The last stream that a `GOAWAY` has allowed: a later one may not allow more (RFC 9113, 6.8).
    private var lastAllowedStream = HTTP2StreamID.maxID
    private var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - idleTimeout: For a connection without requests.
    ///   - headTimeout: For the whole head of a connection's first request.
    ///   - limits: Streams at once, and how long the client is waited for to read of the end.
    init(idleTimeout: TimeAmount, headTimeout: TimeAmount, limits: HTTP2Limits) {
        self.idleTimeout = idleTimeout
        self.headTimeout = headTimeout
        self.limits = limits
    }

    // MARK: Requests

    /// Whether a stream that is being set up is over the limit, or comes after the last one that is served. A client that is
    /// over the limit too often loses the connection.
    func refusesStream() -> Bool {
        guard self.stage == .leaving || self.streamCount >= self.limits.streams else { return false }
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
        self.streamCount += 1
        // Later ones are refused.
        if self.stage != .leaving { self.lastStream = max(self.lastStream, id) }
        if self.stage == .serving { self.wait(nil) }
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        self.streamCount -= 1
        guard self.streamCount == 0 else { return }
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
        if case .ping(Self.echo, ack: true) = self.unwrapInboundIn(data).payload, self.stage == .announced {
            self.leave(context)
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            self.announce(context)
        } else if event as? ChannelEvent == .inputClosed {
            // Without its half a client can neither widen windows nor give requests up.
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// An error that ends the connection is preceded by GOAWAY with its code. NIO's own may allow less than ours.
    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(let last, let code, _) = frame.payload else { return }
        self.lastAllowedStream = min(self.lastAllowedStream, last)
        if code != .noError { self.isBroken = true }
    }

    /// NIO's handler reports the errors of streams here as well. It has reset the stream, and the others go on (RFC
    /// 9113, 5.4.2).
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Its GOAWAY comes behind another one, and would allow more streams again: it is not sent. One of ours is, unless
        // the client has heard of an error, and only once: if it cannot be sent either, that is reported here as well.
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
        if self.streamCount == 0 { self.closeSoon() }
    }

    /// Writes a `GOAWAY` without an error past NIO's handler; its own ones name no later stream from then on.
    private func writeFarewell(_ last: HTTP2StreamID, _ context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard !self.isBroken, let handler = try? pipeline.context(handlerType: NIOHTTP2Handler.self) else { return }
        if let limit = try? pipeline.handler(type: HTTP2LastStream.self) {
            limit.last = last
        } else {
            // It cannot fail: NIO's handler is there.
            try? pipeline.addHandler(HTTP2LastStream(last), position: .before(handler.handler))
        }
        // NIO's handler flushes only its own writes.
        handler.writeAndFlush(NIOAny(IOData.byteBuffer(HTTP2LastStream.farewell(last))), promise: nil)
    }

    /// Not in the midst of the write that ended the last stream: TLS would not send it any more.
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

    /// - Parameter time: nil waits for nothing.
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

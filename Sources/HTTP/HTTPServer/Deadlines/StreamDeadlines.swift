import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2

/// Closes HTTP/2 streams with responses that are not read, or bodies that arrive too slowly. The connection's traffic
/// shows neither: the client decides for each stream how much it sends and takes.
///
/// Confined to the connection's event loop.
final class StreamDeadlines: ChannelDuplexHandler, RemovableChannelHandler, NIOScheduledCallbackHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionDeadlines.Limits
    private var progress: SendProgress
    private var taken = 0
    /// Number of writes that the connection has not sent.
    private var unsent = 0
    /// Completed when the stream has closed, after everything has been sent.
    private var closing: EventLoopPromise<Void>?
    /// Deadline of the whole body; `nil` before the head and after the end.
    private var bodyDeadline: NIODeadline?
    private var hasBodyBegun = false
    /// Bytes of the body that arrived after the response; `nil` before its end.
    private var drained: Int?
    private var hasReset = false
    private var context: ChannelHandlerContext?
    private var look: NIOScheduledCallback?
    private let budget: SendBudget
    private var bodies: UnsentBodies?

    /// - Parameter budget: Accounts for bodies that the client has not taken.
    init(_ limits: ConnectionDeadlines.Limits, budget: SendBudget) {
        self.limits = limits
        self.budget = budget
        self.progress = SendProgress(least: limits.leastTaken, duration: limits.send)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.bodies = UnsentBodies(self.budget, of: context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.bodies?.close()
        self.look?.cancel()
        self.look = nil
        self.closing?.succeed()
        self.closing = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head: self.bodyDeadline = context.eventLoop.now + self.limits.body
        case .body(let bytes):
            self.hasBodyBegun = true
            if let drained = self.drained {
                self.drained = drained + bytes.readableBytes
                self.endDrained(context)
                return
            }
        case .end: self.bodyDeadline = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Scheduled here and not earlier: most requests are complete at this point.
        if self.bodyDeadline != nil { self.lookLater(context) }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        // Unread bytes open no window.
        if !self.isOverDrain { context.read() }
    }

    private var isOverDrain: Bool { self.drained.map { $0 > self.limits.drain } ?? false }

    /// Resets a stream if its body is too long to be read after the response, which is not lost by that (RFC 9113,
    /// 8.1).
    private func endDrained(_ context: ChannelHandlerContext) {
        // Only once: a reset delivers the pending part of the body.
        guard self.isOverDrain, self.unsent == 0, !self.hasReset else { return }
        self.hasReset = true
        context.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: .noError), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch self.unwrapOutboundIn(data) {
        case .head(let head) where head.status.kind == .informational && self.hasBodyBegun:
            promise?.succeed()  // a body that is already arriving needs no 100
        case .head(var head):
            head.headerFields[.connection] = nil  // HTTP/1.1 only (RFC 9113, 8.2.2)
            self.write(.head(head), byteCount: 0, context, promise: promise)
        case .end(let trailers):
            if self.bodyDeadline != nil { self.drained = 0 }
            // Waits for the connection's window, as NIO sends it in a frame of data, and so counts as a byte.
            self.write(.end(trailers), byteCount: 1, context, promise: promise)
        case .body(let bytes): self.write(bytes, context, promise: promise)
        }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        var bytes = bytes
        let sent = promise ?? context.eventLoop.makePromise()
        self.bodies?.add(bytes, sent: sent.futureResult)
        // In pieces: a promise is completed when the last byte of its write has been sent.
        while bytes.readableBytes > self.limits.leastTaken, let piece = bytes.readSlice(length: self.limits.leastTaken)
        {
            self.write(.body(piece), byteCount: piece.readableBytes, context, promise: nil)
        }
        self.write(.body(bytes), byteCount: bytes.readableBytes, context, promise: sent)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        self.bodies?.holdWhatIsLeft()
        if self.isWaiting { self.lookLater(context) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is SendAccount.End else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        context.close(promise: nil)
        promise?.succeed()
    }

    private func write(
        _ part: HTTPResponsePart, byteCount: Int, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?
    ) {
        self.progress.written += byteCount
        self.unsent += 1
        let sent = promise ?? context.eventLoop.makePromise()
        // Also called if the write fails, because the stream has ended.
        sent.futureResult.assumeIsolated().whenComplete { _ in self.sent(byteCount) }
        context.write(self.wrapOutboundOut(part), promise: sent)
    }

    private func sent(_ byteCount: Int) {
        self.taken += byteCount
        self.unsent -= 1
        if let context = self.context { self.endDrained(context) }
        guard self.unsent == 0, let closing = self.closing else { return }
        self.closing = nil
        self.context?.close(promise: closing)
    }

    /// Delays a graceful close until the client has taken everything: when the server stops, a response counts as sent
    /// once it is written.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // Only a server at the end of its shutdown period closes one side alone.
        guard mode == .all, self.unsent > 0, context.channel.isActive else {
            context.close(promise: promise)
            return
        }
        if let closing = self.closing {
            if let promise { closing.futureResult.cascade(to: promise) }
        } else {
            self.closing = promise ?? context.eventLoop.makePromise()
        }
        context.flush()
    }

    /// Whether the client has not taken everything written.
    var isWaiting: Bool { self.progress.written > self.taken }

    private func lookLater(_ context: ChannelHandlerContext) {
        guard self.look == nil else { return }
        do {
            self.look = try context.eventLoop.assumeIsolated().scheduleCallback(in: self.limits.period, handler: self)
        } catch {
            context.close(promise: nil)  // the event loop is shutting down
        }
    }

    func handleScheduledCallback(eventLoop: some EventLoop) {
        self.look = nil
        guard let context = self.context else { return }
        let now = context.eventLoop.now
        let waiting = self.progress.written - self.taken
        if let deadline = self.bodyDeadline, now >= deadline {
            context.close(promise: nil)
        } else if self.progress.isStalled(waiting: waiting, now: now) {
            context.close(promise: nil)
        } else if waiting > 0 || self.bodyDeadline != nil {
            self.lookLater(context)
        }
    }
}

import NIOCore
import NIOHTTPTypes

/// Ends HTTP/2 requests whose answers are not taken. What the connection sends says nothing of that: the client decides
/// for each stream how much it takes.
///
/// Belongs to the connection's event loop.
final class StreamDeadlines: ChannelOutboundHandler, RemovableChannelHandler, NIOScheduledCallbackHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionDeadlines.Limits
    private var progress: SendProgress
    private var taken = 0
    /// Writes that the connection has not sent.
    private var unsent = 0
    /// Who waits for the stream's end, which comes when all is sent.
    private var closing: EventLoopPromise<Void>?
    private var context: ChannelHandlerContext?
    private var look: NIOScheduledCallback?
    private let budget: SendBudget
    private var bodies: UnsentBodies?

    /// - Parameter budget: For what the client has not taken.
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

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(var bytes) = self.unwrapOutboundIn(data) else {
            self.write(self.unwrapOutboundIn(data), byteCount: 0, context, promise: promise)
            return
        }
        let sent = promise ?? context.eventLoop.makePromise()
        self.bodies?.add(bytes, sent: sent.futureResult)
        // In pieces: a promise is kept when the last byte of its write has been sent.
        while bytes.readableBytes > self.limits.leastTaken, let piece = bytes.readSlice(length: self.limits.leastTaken)
        {
            self.write(.body(piece), byteCount: piece.readableBytes, context, promise: nil)
        }
        self.write(.body(bytes), byteCount: bytes.readableBytes, context, promise: sent)
        self.lookLater(context)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        self.bodies?.holdWhatIsLeft()
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
        // A write that fails is of a stream that has ended.
        sent.futureResult.assumeIsolated().whenComplete { _ in self.sent(byteCount) }
        context.write(self.wrapOutboundOut(part), promise: sent)
    }

    private func sent(_ byteCount: Int) {
        self.taken += byteCount
        self.unsent -= 1
        guard self.unsent == 0, let closing = self.closing else { return }
        self.closing = nil
        self.context?.close(promise: closing)
    }

    /// Whoever closes in order when the server stops counts an answer as sent when it was written; what the client has not
    /// taken yet is sent before.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // Only a server whose patience is over closes one side alone.
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
        let waiting = self.progress.written - self.taken
        if self.progress.isStalled(waiting: waiting, now: context.eventLoop.now) {
            context.close(promise: nil)
        } else if waiting > 0 {
            self.lookLater(context)
        }
    }
}

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
    private var context: ChannelHandlerContext?
    private var look: NIOScheduledCallback?

    init(_ limits: ConnectionDeadlines.Limits) {
        self.limits = limits
        self.progress = SendProgress(least: limits.leastTaken, duration: limits.send)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.look?.cancel()
        self.look = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(var bytes) = self.unwrapOutboundIn(data), bytes.readableBytes > 0 else {
            context.write(data, promise: promise)
            return
        }
        // In pieces: a promise is kept when the last byte of its write has been sent.
        while bytes.readableBytes > self.limits.leastTaken, let piece = bytes.readSlice(length: self.limits.leastTaken)
        {
            self.write(piece, context, promise: nil)
        }
        self.write(bytes, context, promise: promise)
        self.lookLater(context)
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let count = bytes.readableBytes
        self.progress.written += count
        let sent = promise ?? context.eventLoop.makePromise()
        // A write that fails is of a stream that has ended.
        sent.futureResult.assumeIsolated().whenComplete { _ in self.taken += count }
        context.write(self.wrapOutboundOut(.body(bytes)), promise: sent)
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

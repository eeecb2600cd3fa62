import NIOCore
package import NIOHTTP1

extension ConnectionDeadlines {
    /// Observes the bytes that one connection receives and sends. Confined to the connection's event loop.
    package final class SocketHandler: ChannelDuplexHandler, NIOScheduledCallbackHandler, RequestObserver {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        /// Maximum number of unsent bytes in the kernel's buffer. Without it a slow client's progress would show in
        /// steps of megabytes, and a client that takes nothing could occupy as much.
        private static let unsentLimit = 128 << 10
        /// TCP_NOTSENT_LOWAT of linux/tcp.h.
        private static let unsentOption = NIOBSDSocket.Option(rawValue: 25)

        private let limits: Limits
        /// Whether the connection carries HTTP/1.1 requests.
        private let readsRequests: Bool
        /// Accounts for written bytes; `nil` without an account.
        private let queue: SendQueue?
        /// The same queue if it has no place in the pipeline and is called by this handler.
        private var inlineQueue: SendQueue?
        private var context: ChannelHandlerContext?
        private var look: NIOScheduledCallback?
        /// Deadline of the arriving request; `nil` between requests.
        private var requestDeadline: NIODeadline?
        private var progress: SendProgress
        /// The pending close, performed once everything written has been taken; `nil` if there is none.
        private var closing: CloseMode?
        /// Completed when the channel has closed.
        private var closed: [EventLoopPromise<Void>] = []
        /// Bytes that arrived since the last response ended; `nil` before that.
        private var drained: Int?
        /// Deadline by which the client must close its side, after the server has closed its own.
        private var lingerDeadline: NIODeadline?
        /// Whether unsent bytes are abandoned.
        private var isGivenUp = false

        /// - Parameters:
        ///   - readsRequests: false if many requests share a connection: only sending has a deadline.
        ///   - isInline: Whether `queue` is not a handler of the pipeline.
        init(_ limits: Limits, readsRequests: Bool = true, queue: SendQueue? = nil, isInline: Bool = true) {
            self.limits = limits
            self.readsRequests = readsRequests
            self.queue = queue
            self.inlineQueue = isInline ? queue : nil
            self.progress = SendProgress(least: limits.leastTaken, duration: limits.send)
        }

        package func requestBegan(_ head: HTTPRequestHead) {
            if let deadline = self.requestDeadline { self.requestDeadline = deadline + self.limits.body }
        }

        /// Abandons unsent bytes.
        func giveUp() {
            self.isGivenUp = true
        }

        /// Counts bytes written to the socket without the channel.
        package func noteSent(_ byteCount: Int) {
            self.progress.written += byteCount
        }

        package func requestArrived() {
            self.requestDeadline = nil
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            self.inlineQueue?.begin(context)
            if context.channel.isActive { self.begin(context) }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.end()
        }

        func channelActive(context: ChannelHandlerContext) {
            self.begin(context)
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.end()
            context.fireChannelInactive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // TLS delivers bytes until the client has closed it, too; no response could be sent.
            if self.isGivenUp, self.readsRequests { return }
            if let drained = self.drained {
                self.drained = drained + self.unwrapInboundIn(data).readableBytes
                return
            }
            // Before the decoder receives the bytes: it may complete a request, and report it, before this returns.
            self.expectRequest(context)
            context.fireChannelRead(data)
        }

        func read(context: ChannelHandlerContext) {
            // Unread bytes in the kernel's buffers stop the client from sending more.
            if let drained = self.drained, drained > self.limits.drain { return }
            context.read()
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let part = self.unwrapOutboundIn(data)
            self.progress.written += part.readableBytes
            if let queue = self.inlineQueue, case .byteBuffer(let bytes) = part { queue.noteClear(bytes, promise) }
            context.write(data, promise: promise)
        }

        func flush(context: ChannelHandlerContext) {
            context.flush()
            self.inlineQueue?.flushed(context)
            self.lookLater(context)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            self.inlineQueue?.writabilityChanged(context)
            context.fireChannelWritabilityChanged()
        }

        func triggerUserOutboundEvent(
            context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
        ) {
            guard let queue = self.inlineQueue, event is SendAccount.End else {
                context.triggerUserOutboundEvent(event, promise: promise)
                return
            }
            queue.reset(context)
            promise?.succeed()
        }

        /// Delays a graceful close until the client has taken everything. When a server stops, a connection has been
        /// idle for long, or a client wants nothing more, a response counts as sent once it is written.
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            if mode == .input {
                // Only a server at the end of its shutdown period closes this side alone: unsent bytes are abandoned.
                self.isGivenUp = true
                self.closeInput(context, promise)
                return
            }
            if mode == .output, self.readsRequests {
                // Bytes that arrive after this get no response.
                if self.drained == nil { self.drained = 0 }
                if self.lingerDeadline != nil {
                    promise?.succeed()
                    return
                }
            }
            if let closing = self.closing {
                // Both sides, as soon as one caller requests both.
                if closing == .output { self.closing = mode }
                if let promise { self.closed.append(promise) }
                return
            }
            guard !self.isGivenUp, context.channel.isActive, self.waiting(context) > 0 else {
                if mode == .output { self.beginLinger(context) }
                context.close(mode: mode, promise: promise)
                return
            }
            self.closing = mode
            if let promise { self.closed.append(promise) }
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.assumeIsolated().whenComplete { _ in self.closeNow(context) }
            context.writeAndFlush(self.wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
            self.lookLater(context)
        }

        private func closeInput(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
            guard self.closing == nil else { return context.close(mode: .all, promise: promise) }
            let half = promise ?? context.eventLoop.makePromise()
            // TLS cannot close one side.
            half.futureResult.assumeIsolated().whenFailure { _ in context.close(mode: .all, promise: nil) }
            context.close(mode: .input, promise: half)
        }

        private func closeNow(_ context: ChannelHandlerContext) {
            let done = context.eventLoop.makePromise(of: Void.self)
            for promise in self.closed { done.futureResult.cascade(to: promise) }
            self.closed = []
            let mode = self.closing ?? .all
            self.closing = nil
            if mode == .output { self.beginLinger(context) }
            context.close(mode: mode, promise: done)
        }

        private func beginLinger(_ context: ChannelHandlerContext) {
            guard self.readsRequests, self.lingerDeadline == nil else { return }
            self.lingerDeadline = context.eventLoop.now + self.limits.linger
            self.lookLater(context)
        }

        private func waiting(_ context: ChannelHandlerContext) -> Int {
            // Fails if the channel was just closed.
            let buffered = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
            return buffered + (self.queue?.waitingByteCount ?? 0)
        }

        func handleScheduledCallback(eventLoop: some EventLoop) {
            self.look = nil
            guard let context = self.context else { return }
            let now = context.eventLoop.now
            if let deadline = [self.requestDeadline, self.lingerDeadline].compactMap(\.self).min(), now >= deadline {
                self.isGivenUp = true
                context.close(promise: nil)
                return
            }
            self.queue?.look()
            let waiting = self.waiting(context)
            if self.progress.isStalled(waiting: waiting, now: now) {
                self.reset(context)
            } else if waiting > 0 || self.requestDeadline != nil || self.lingerDeadline != nil {
                self.lookLater(context)
            }
        }

        /// Number of bytes that the client has taken since the start, and of bytes waiting.
        var sent: (taken: Int, waiting: Int) {
            let waiting = self.context.map(self.waiting) ?? 0
            return (self.progress.written - waiting, waiting)
        }

        func cut() {
            if let context = self.context { self.reset(context) }
        }

        private func begin(_ context: ChannelHandlerContext) {
            self.expectRequest(context)
            do {
                try context.channel.syncOptions?.setOption(
                    ChannelOptions.Types.SocketOption(level: .tcp, name: Self.unsentOption), value: Self.unsentLimit)
            } catch {
                // The client has left already, or the socket is not TCP.
            }
        }

        private func end() {
            self.inlineQueue?.end()
            self.inlineQueue = nil
            self.context = nil
            self.look?.cancel()
            self.look = nil
        }

        private func expectRequest(_ context: ChannelHandlerContext) {
            guard self.readsRequests, self.requestDeadline == nil else { return }
            self.requestDeadline = context.eventLoop.now + self.limits.head
            self.lookLater(context)
        }

        private func lookLater(_ context: ChannelHandlerContext) {
            guard self.look == nil else { return }
            do {
                self.look = try context.eventLoop.assumeIsolated().scheduleCallback(
                    in: self.limits.period, handler: self)
            } catch {
                context.close(promise: nil)  // the event loop is shutting down
            }
        }

        private func reset(_ context: ChannelHandlerContext) {
            self.isGivenUp = true
            context.reset()
        }
    }
}

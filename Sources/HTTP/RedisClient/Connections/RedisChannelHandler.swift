import NIOCore

/// Matches the replies of one connection to its commands, in order. Confined to the connection's event loop.
///
/// A command that is cancelled or late keeps its place in the order; its reply is dropped.
final class RedisChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct Pending {
        /// `nil` if the reply is dropped, and only its arrival matters.
        let result: PendingResult<RedisReply>?
        let byteCount: Int
        let sent: NIODeadline
        let timer: Scheduled<Void>?
    }

    private let parser: ReplyParser
    private let load: ConnectionLoad
    private var context: ChannelHandlerContext?
    private var pending = CircularBuffer<Pending>()
    private var willFlush = false
    /// The failure of all pending commands; the first reason is kept.
    private(set) var failure: RedisFailure?

    init(_ limits: ReplyLimits, load: ConnectionLoad) throws(RedisFailure) {
        self.parser = try ReplyParser(limits)
        self.load = load
    }

    /// Sends a command that ``ConnectionLoad/admit(byteCount:)`` has admitted.
    /// - Parameter whenLate: Called if the deadline passes before the reply.
    func send(
        _ command: ByteBuffer, _ result: PendingResult<RedisReply>, deadline: NIODeadline?, within: Duration?,
        whenLate: @escaping @Sendable () -> Void
    ) {
        let byteCount = command.readableBytes
        guard result.isWaiting, let context, self.failure == nil else {
            self.load.release(byteCount: byteCount)
            result.finish(.failure(self.failure ?? .unavailable("the connection is closed")))
            return
        }
        let timer = deadline.map { deadline in
            context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
                if result.finish(.failure(RedisFailure.timedOut(within ?? .zero))) { whenLate() }
            }
        }
        self.pending.append(Pending(result: result, byteCount: byteCount, sent: .now(), timer: timer))
        context.write(self.wrapOutboundOut(command), promise: nil)
        self.flushSoon(context)
    }

    /// Sends an admitted command and drops its reply: a probe of whether the server replies.
    func sendUnawaited(_ command: ByteBuffer) {
        guard let context, self.failure == nil else { return self.load.release(byteCount: command.readableBytes) }
        self.pending.append(Pending(result: nil, byteCount: command.readableBytes, sent: .now(), timer: nil))
        context.writeAndFlush(self.wrapOutboundOut(command), promise: nil)
    }

    /// Flushes at the end of the event loop's tick: commands of one tick share a system call.
    private func flushSoon(_ context: ChannelHandlerContext) {
        guard !self.willFlush else { return }
        self.willFlush = true
        context.eventLoop.assumeIsolated().execute {
            self.willFlush = false
            self.context?.flush()
        }
    }

    /// How long the oldest command has waited for its reply; `nil` if none is pending.
    func oldestWait(at now: NIODeadline) -> TimeAmount? {
        self.pending.first.map { now - $0.sent }
    }

    /// Fails all pending commands and closes the connection.
    func close(because failure: RedisFailure) {
        self.fail(failure)
        self.context?.close(promise: nil)
    }

    private func fail(_ failure: RedisFailure) {
        if self.failure == nil { self.failure = failure }
        while let next = self.pending.popFirst() { self.end(next, .failure(self.failure ?? failure)) }
    }

    private func end(_ pending: Pending, _ outcome: Result<RedisReply, any Error>) {
        pending.timer?.cancel()
        self.load.release(byteCount: pending.byteCount)
        pending.result?.finish(outcome)
    }

    // MARK: Called by the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard self.failure == nil else { return }
        let buffer = self.unwrapInboundIn(data)
        do throws(RedisFailure) {
            var failure: RedisFailure?
            buffer.withUnsafeReadableBytes { bytes in
                do throws(RedisFailure) { try self.parser.feed(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            while let reply = try self.parser.next() {
                guard let first = self.pending.popFirst() else { throw .unintelligible("it belongs to no command") }
                self.end(first, .success(reply))
            }
        } catch {
            self.close(because: error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.fail(.unavailable("the connection was closed by the server"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        self.close(because: .unavailable("\(error)"))
    }
}

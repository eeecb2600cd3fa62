import NIOCore

/// Matches the replies of one connection with its commands, in their order. Used on the connection's event loop only.
///
/// A command whose task has gone, or whose deadline has come, keeps its place until its reply is there, which is dropped.
final class RedisChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct Pending {
        /// nil when only its arrival counts.
        let result: PendingResult<RedisReply>?
        let byteCount: Int
        let sent: NIODeadline
        /// Of the deadline.
        let timer: Scheduled<Void>?
    }

    private let parser: ReplyParser
    private let load: ConnectionLoad
    private var context: ChannelHandlerContext?
    private var pending = CircularBuffer<Pending>()
    private var willFlush = false
    /// What the commands that wait end with; the first reason counts.
    private(set) var failure: RedisFailure?

    init(_ limits: ReplyLimits, load: ConnectionLoad) throws(RedisFailure) {
        self.parser = try ReplyParser(limits)
        self.load = load
    }

    /// Sends a command that ``ConnectionLoad/admit(byteCount:)`` has admitted.
    /// - Parameter whenLate: Called when the deadline has come before the reply.
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

    /// Sends a command, which was admitted, for the sake of there being a reply.
    func sendUnawaited(_ command: ByteBuffer) {
        guard let context, self.failure == nil else { return self.load.release(byteCount: command.readableBytes) }
        self.pending.append(Pending(result: nil, byteCount: command.readableBytes, sent: .now(), timer: nil))
        context.writeAndFlush(self.wrapOutboundOut(command), promise: nil)
    }

    /// Commands of the same turn of the loop share a system call.
    private func flushSoon(_ context: ChannelHandlerContext) {
        guard !self.willFlush else { return }
        self.willFlush = true
        context.eventLoop.assumeIsolated().execute {
            self.willFlush = false
            self.context?.flush()
        }
    }

    /// How long the oldest command waits for its reply; nil when none does.
    func oldestWait(at now: NIODeadline) -> TimeAmount? {
        self.pending.first.map { now - $0.sent }
    }

    /// Ends all that waits, and the connection.
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
                guard let first = self.pending.popFirst() else { throw .unintelligible("no command has asked for it") }
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

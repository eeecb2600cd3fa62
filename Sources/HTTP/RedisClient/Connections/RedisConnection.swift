import NIOCore

/// A pipelined connection to a server: replies arrive in the order of the commands.
package final class RedisConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<RedisChannelHandler>
    private let load: ConnectionLoad
    /// Whether one task uses the connection for commands that block. Abandoning a command then closes it.
    private let isExclusive: Bool
    private let commandTimeout: Duration

    init(
        _ channel: any Channel, _ handler: NIOLoopBound<RedisChannelHandler>, _ load: ConnectionLoad, isExclusive: Bool,
        commandTimeout: Duration
    ) {
        self.channel = channel
        self.handler = handler
        self.load = load
        self.isExclusive = isExclusive
        self.commandTimeout = commandTimeout
    }

    var inFlightCount: Int { self.load.count }

    /// An exclusive connection (``RedisClient/withConnection(_:)``) is closed if a command on it times out or is
    /// cancelled: the command may still block.
    ///
    /// - Parameters:
    ///   - within: Timeout; the configuration's if `nil`. Commands that block need a longer one than they block for.
    ///   - whenQueued: Called when the command has its place in the order: commands sent later follow it.
    /// - Throws: ``RedisFailure``, also for an error reply; `CancellationError`.
    package func send(
        _ command: RedisCommand, within: Duration? = nil, whenQueued: @escaping @Sendable () -> Void = {}
    ) async throws -> RedisReply {
        let within = within ?? self.commandTimeout
        let deadline = NIODeadline.now() + TimeAmount(within)
        let encoded = command.encoded
        let result = PendingResult<RedisReply>()
        let giveUp: @Sendable () -> Void = { [isExclusive] in
            if isExclusive { self.close(because: .unavailable("a command on the connection was cancelled")) }
        }
        let reply = try await result.value(
            begin: {
                guard self.load.admit(byteCount: encoded.readableBytes) else {
                    result.finish(.failure(RedisFailure.overloaded))
                    return
                }
                self.channel.eventLoop.execute {
                    self.handler.value.send(
                        encoded, result, deadline: deadline, within: within, whenLate: giveUp)
                }
                whenQueued()
            }, whenCancelled: giveUp)
        guard case .error(let text) = reply else { return reply }
        let failure = RedisFailure.refusal(text)
        if RefusalKind(text)?.needsOtherConnection == true { self.close(because: failure) }
        throw failure
    }

    func close(because failure: RedisFailure) {
        self.channel.eventLoop.execute { self.handler.value.close(because: failure) }
    }

    /// Waits until the connection has closed, and returns the reason; closes it if the task is cancelled.
    func closed() async -> RedisFailure {
        await withTaskCancellationHandler {
            // Never fails.
            try? await self.channel.closeFuture.get()
        } onCancel: {
            self.close(because: .unavailable("this process is stopping"))
        }
        let failure = self.channel.eventLoop.submit { self.handler.value.failure }
        return (try? await failure.get()) ?? .unavailable("the connection was closed")
    }

    /// Checks at every interval whether the server replies, and closes the connection if it does not: a server that
    /// hangs, or a network that lost the connection, reports nothing.
    /// - Parameter timeout: Maximum time to any reply.
    func watch(every interval: Duration, timeout: Duration) {
        self.channel.eventLoop.execute {
            let loop = self.channel.eventLoop
            let task = loop.scheduleRepeatedTask(
                initialDelay: TimeAmount(interval), delay: TimeAmount(interval)
            ) { [weak self] task in
                guard let self else { return task.cancel() }
                self.check(timeout: timeout)
            }
            self.channel.closeFuture.whenComplete { _ in task.cancel() }
        }
    }

    private func check(timeout: Duration) {
        if let wait = self.handler.value.oldestWait(at: .now()) {
            guard wait > TimeAmount(timeout) else { return }
            return self.close(because: .timedOut(timeout))
        }
        let ping = RedisCommand("PING").encoded
        guard self.load.admit(byteCount: ping.readableBytes) else { return }
        // Its pending entry ages until the reply arrives.
        self.handler.value.sendUnawaited(ping)
    }
}

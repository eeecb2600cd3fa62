import NIOCore

/// One connection to a server, which commands share in the order in which they are sent.
package final class RedisConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<RedisChannelHandler>
    private let load: ConnectionLoad
    /// Whether one task uses it, with commands that block: one that is given up ends the connection.
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

    /// Commands whose reply is not there.
    var inFlightCount: Int { self.load.count }

    /// Sends a command and returns its reply.
    ///
    /// A connection of its own (``RedisClient/withConnection(_:)``) is closed when a command on it comes to its deadline or
    /// is cancelled: it may block.
    ///
    /// - Parameters:
    ///   - within: The configuration's when nil; of commands that block it has to be longer than they do.
    ///   - whenQueued: Called when commands that are sent from then on come after this one.
    /// - Throws: ``RedisFailure``, also for an error reply; `CancellationError`.
    package func send(
        _ command: RedisCommand, within: Duration? = nil, whenQueued: @escaping @Sendable () -> Void = {}
    ) async throws -> RedisReply {
        let within = within ?? self.commandTimeout
        let deadline = NIODeadline.now() + TimeAmount(within)
        let encoded = command.encoded
        let result = PendingResult<RedisReply>()
        let giveUp: @Sendable () -> Void = { [isExclusive] in
            if isExclusive { self.close(because: .unavailable("a command on it was given up")) }
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

    /// Ends what waits with a failure, and the connection.
    func close(because failure: RedisFailure) {
        self.channel.eventLoop.execute { self.handler.value.close(because: failure) }
    }

    /// Returns when the connection has ended; ends it when the task is cancelled.
    func closed() async -> RedisFailure {
        await withTaskCancellationHandler {
            // Never fails.
            try? await self.channel.closeFuture.get()
        } onCancel: {
            self.close(because: .unavailable("this process ends"))
        }
        let failure = self.channel.eventLoop.submit { self.handler.value.failure }
        return (try? await failure.get()) ?? .unavailable("the connection was closed")
    }

    /// Asks at every interval whether the server still replies, and ends the connection when it does not: one that hangs, or
    /// a network that lost the connection, says nothing.
    /// - Parameter timeout: How long any reply may take.
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
        // Its place in the order shows whether a reply comes.
        self.handler.value.sendUnawaited(ping)
    }
}

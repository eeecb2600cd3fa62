import Hummingbird
package import NIOCore
import Synchronization

/// The state of a client's connection, and whether the client is still connected.
///
/// Hummingbird lets a handler continue when its client has left. Its own remedy,
/// `consumeWithCancellationOnInboundClose`, reads the connection to its end and so costs every response its keep-alive;
/// this one only observes.
package final class ClientConnectionState: Sendable {
    private struct State {
        var isGone = false
        var lastID = 0
        var actions: [Int: @Sendable () -> Void] = [:]
        /// The next request to be handled, if the fast path has parsed it.
        var miss: FastPathMiss?
        /// Tasks suspended until the channel is writable.
        var writers: [EventLoopPromise<Void>] = []
    }

    private let state = Mutex(State())
    package let isSecure: Bool
    /// The connection's permit of ``ConnectionLimiter``; `nil` if connections are not counted.
    let permit: ConnectionPermit?

    /// The client's HTTP/1.1 connection or HTTP/2 stream; `nil` if there never was one.
    private let channel: (any Channel)?
    /// Accounts for sent bodies; `nil` without a limit.
    package let account: ResponseAccount?

    init(
        isSecure: Bool = false, permit: ConnectionPermit? = nil, channel: (any Channel)? = nil,
        budget: SendBudget? = nil
    ) {
        self.isSecure = isSecure
        self.permit = permit
        self.channel = channel
        self.account = channel.flatMap { channel in budget.map { ResponseAccount($0, channel) } }
    }

    /// The state of a client that left before its connection was looked up.
    static let gone: ClientConnectionState = {
        let presence = ClientConnectionState()
        presence.leave()
        return presence
    }()

    var isGone: Bool { self.state.withLock { $0.isGone } }

    /// Runs `operation`, and cancels it when the client leaves.
    func whilePresent<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await operation() }
        let id = self.onLeaving { task.cancel() }
        defer { self.forget(id) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Passes the fast path's parsed request to the context of the connection's next request.
    package func carry(_ miss: FastPathMiss) {
        self.state.withLock { $0.miss = miss }
    }

    func takeMiss() -> FastPathMiss? {
        self.state.withLock { state in
            defer { state.miss = nil }
            return state.miss
        }
    }

    /// Suspends until the client has taken enough of the written bytes for the channel to be writable.
    ///
    /// - Throws: ``ClientDisconnected`` if the channel has closed; `CancellationError`.
    package func untilWritable() async throws {
        guard let channel else { return }
        let promise = channel.eventLoop.makePromise(of: Void.self)
        // Runs after the writes before it, which are performed on the event loop too.
        channel.eventLoop.execute {
            if !channel.isActive {
                promise.fail(ClientDisconnected())
            } else if channel.isWritable {
                promise.succeed()
            } else {
                self.state.withLock { $0.writers.append(promise) }
            }
        }
        try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            promise.fail(CancellationError())
        }
    }

    fileprivate func resumeWriters(_ outcome: Result<Void, any Error>) {
        let writers = self.state.withLock { state in
            defer { state.writers = [] }
            return state.writers
        }
        for writer in writers { writer.completeWith(outcome) }
    }

    private func onLeaving(_ action: @escaping @Sendable () -> Void) -> Int? {
        let id = self.state.withLock { state -> Int? in
            if state.isGone { return nil }
            state.lastID += 1
            state.actions[state.lastID] = action
            return state.lastID
        }
        if id == nil { action() }
        return id
    }

    private func forget(_ id: Int?) {
        guard let id else { return }
        _ = self.state.withLock { $0.actions.removeValue(forKey: id) }
    }

    fileprivate func leave() {
        let actions = self.state.withLock { state in
            state.isGone = true
            defer { state.actions = [:] }
            return state.actions
        }
        for action in actions.values { action() }
    }
}

extension ClientConnectionState {
    private static let byChannel = Mutex<[ObjectIdentifier: ClientConnectionState]>([:])

    /// Returns the state of the client on `channel`; `nil` in tests without a connection.
    package static func of(_ channel: any Channel) -> ClientConnectionState? {
        self.byChannel.withLock { $0[ObjectIdentifier(channel as AnyObject)] }
    }

    /// Observes one HTTP/1.1 connection or HTTP/2 stream.
    final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny
        private let isSecure: Bool
        private let budget: SendBudget?
        private var presence = ClientConnectionState.gone

        /// - Parameter budget: Accounts for bodies that the client has not taken.
        init(isSecure: Bool, budget: SendBudget? = nil) {
            self.isSecure = isSecure
            self.budget = budget
        }

        func handlerAdded(context: ChannelHandlerContext) {
            let id = ObjectIdentifier(context.channel as AnyObject)
            self.presence = ClientConnectionState(
                isSecure: self.isSecure, permit: IdleTracker.ofConnection(of: context.channel)?.permit,
                channel: context.channel, budget: self.budget)
            ClientConnectionState.byChannel.withLock { $0[id] = self.presence }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            let id = ObjectIdentifier(context.channel as AnyObject)
            _ = ClientConnectionState.byChannel.withLock { $0.removeValue(forKey: id) }
            self.presence.resumeWriters(.failure(ClientDisconnected()))
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable { self.presence.resumeWriters(.success(())) }
            context.fireChannelWritabilityChanged()
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.presence.leave()
            self.presence.resumeWriters(.failure(ClientDisconnected()))
            context.fireChannelInactive()
        }

        /// A half-closed connection counts as a client that left, which is usually the case: its unstarted requests are
        /// not handled. A response that is being sent is completed nevertheless.
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { self.presence.leave() }
            context.fireUserInboundEventTriggered(event)
        }
    }
}

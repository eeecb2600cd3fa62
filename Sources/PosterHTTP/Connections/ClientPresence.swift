import Hummingbird
public import NIOCore
import NIOSSL
import Synchronization

/// Whether the client of one connection is still there.
///
/// Hummingbird lets a handler run on when its client has gone. Its own remedy, `consumeWithCancellationOnInboundClose`,
/// reads the connection to its end and so costs every response its keep-alive; this one only listens.
public final class ClientPresence: Sendable {
    private struct State {
        var isGone = false
        var lastID = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())
    /// Whether what goes between us is encrypted.
    let isSecure: Bool

    init(isSecure: Bool = false) {
        self.isSecure = isSecure
    }

    /// A client that left before anybody looked.
    static let gone: ClientPresence = {
        let presence = ClientPresence()
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

extension ClientPresence {
    private static let byChannel = Mutex<[ObjectIdentifier: ClientPresence]>([:])

    /// The presence of the client at the other end of `channel`; nil in tests that have no connection.
    static func of(_ channel: any Channel) -> ClientPresence? {
        self.byChannel.withLock { $0[ObjectIdentifier(channel as AnyObject)] }
    }

    /// Watches one connection.
    public final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        /// Whatever passes.
        public typealias InboundIn = NIOAny
        private var presence = ClientPresence()

        /// A watcher for one connection.
        public init() {}

        /// Part of `ChannelHandler`.
        public func handlerAdded(context: ChannelHandlerContext) {
            let id = ObjectIdentifier(context.channel as AnyObject)
            self.presence = ClientPresence(isSecure: Self.isSecure(context.channel))
            ClientPresence.byChannel.withLock { $0[id] = self.presence }
        }

        /// Part of `ChannelHandler`.
        public func handlerRemoved(context: ChannelHandlerContext) {
            let id = ObjectIdentifier(context.channel as AnyObject)
            _ = ClientPresence.byChannel.withLock { $0.removeValue(forKey: id) }
        }

        /// A stream of HTTP/2 is as secure as its connection.
        private static func isSecure(_ channel: any Channel) -> Bool {
            let hasTLS = (try? channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)) != nil
            return hasTLS || channel.parent.map { $0.eventLoop.inEventLoop && Self.isSecure($0) } ?? false
        }

        /// Part of `ChannelInboundHandler`.
        public func channelInactive(context: ChannelHandlerContext) {
            self.presence.leave()
            context.fireChannelInactive()
        }

        /// Part of `ChannelInboundHandler`. A half-closed connection counts as a client that left, as most have that say so:
        /// what was not begun is not done for it. What is being sent is sent to its end all the same.
        public func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { self.presence.leave() }
            context.fireUserInboundEventTriggered(event)
        }
    }
}

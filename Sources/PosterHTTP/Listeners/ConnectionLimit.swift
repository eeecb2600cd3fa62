import NIOCore
import Synchronization

/// How many connections are open at all places together. Those that are one too many wait in the kernel's queue.
final class ConnectionLimit: Sendable {
    private struct State {
        var count = 0
        /// Places that would accept more.
        var waiting: [@Sendable () -> Void] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: At least 1.
    init(_ limit: Int) {
        self.limit = limit
    }

    var count: Int { self.state.withLock { $0.count } }

    /// - Parameter later: Called once when there is room again, if there is none now.
    /// - Returns: Whether there is.
    func hasRoom(orElse later: @escaping @Sendable () -> Void) -> Bool {
        self.state.withLock { state in
            if state.count < self.limit { return true }
            state.waiting.append(later)
            return false
        }
    }

    func opened() {
        self.state.withLock { $0.count += 1 }
    }

    func closed() {
        let waiting = self.state.withLock { state -> [@Sendable () -> Void] in
            state.count -= 1
            guard state.count < self.limit else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    /// Stands at a place and lets it accept while there is room.
    final class Gate: ChannelDuplexHandler {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel
        typealias OutboundIn = Never
        typealias OutboundOut = Never

        private let limit: ConnectionLimit
        private var context: ChannelHandlerContext?

        init(_ limit: ConnectionLimit) {
            self.limit = limit
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let limit = self.limit
            limit.opened()
            self.unwrapInboundIn(data).closeFuture.whenComplete { _ in limit.closed() }
            context.fireChannelRead(data)
        }

        func read(context: ChannelHandlerContext) {
            let loop = context.eventLoop
            let gate = NIOLoopBound(self, eventLoop: loop)
            // Asked again, not read: another place may have been faster.
            let isRoom = self.limit.hasRoom { loop.execute { gate.value.readAgain() } }
            if isRoom { context.read() }
        }

        private func readAgain() {
            guard let context = self.context else { return }
            self.read(context: context)
        }
    }
}

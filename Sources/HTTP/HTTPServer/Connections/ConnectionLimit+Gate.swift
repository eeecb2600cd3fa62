import NIOCore

extension ConnectionLimit {
    /// Stands at a place and lets it accept while there is room.
    final class Gate: ChannelDuplexHandler {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel
        typealias OutboundIn = Never
        typealias OutboundOut = Never

        private let limit: ConnectionLimit
        private var context: ChannelHandlerContext?
        /// Whether more is accepted when there is room again.
        private var isPaused = false

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
            let channel = self.unwrapInboundIn(data)
            guard let rest = self.limit.admit(channel, from: ClientAddress(channel.remoteAddress)) else {
                // Before it is set up: it costs no handshake.
                channel.close(promise: nil)
                return
            }
            if !rest.place.isTaken { self.limit.makeRoom(on: context.eventLoop) }
            context.fireChannelRead(data)
        }

        func read(context: ChannelHandlerContext) {
            guard !self.isPaused else { return }
            let loop = context.eventLoop
            let gate = NIOLoopBound(self, eventLoop: loop)
            // Asked again, not read: another place may have been faster.
            self.isPaused = !self.limit.hasRoom { loop.execute { gate.value.readAgain() } }
            if !self.isPaused { context.read() }
        }

        private func readAgain() {
            self.isPaused = false
            if let context = self.context { self.read(context: context) }
        }
    }
}

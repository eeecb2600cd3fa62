package import NIOCore
import NIOTLS

/// Ends connections of clients that send or read too slowly.
///
/// Hummingbird's `idleTimeout` starts anew with each part of a request and stands still while a request is answered: it
/// ends connections that rest, but neither a head that comes a byte a second, nor a body that does, nor an answer that
/// is not read. Those are ended here.
///
/// What is late is looked for every so often, not timed to the moment: a connection may live a quarter of the shortest
/// limit longer. Connections without a request and without an answer under way are not looked at, and a request costs
/// no timer of its own.
package enum ConnectionDeadlines {
    /// The deadlines of one connection. Each must be positive.
    package struct Limits: Sendable {
        /// For the whole head of a request, from its first byte; of a connection's first request, from the accept. 10
        /// seconds by default.
        package var head: TimeAmount
        /// For the body, in addition to what ``head`` allows. One minute by default.
        package var body: TimeAmount
        /// For taking ``leastTaken``, or all there is to take. One minute by default. What the kernel has counts as
        /// taken.
        package var send: TimeAmount
        /// What a client takes at least in ``send``, in bytes: 64 KiB by default, and so about 1 KiB a second.
        package var leastTaken: Int
        /// Bytes of a request's body that are read behind its response; a client that sends more is not read any
        /// further. 256 KiB by default.
        package var drain: Int
        /// For taking the last response, from when the server has closed its side of the connection until it closes the
        /// other: a client that is still sending would else lose the response by a reset. 5 seconds by default.
        package var linger: TimeAmount

        package init(
            head: TimeAmount = .seconds(10), body: TimeAmount = .seconds(60), send: TimeAmount = .seconds(60),
            leastTaken: Int = 64 << 10, drain: Int = 256 << 10, linger: TimeAmount = .seconds(5)
        ) {
            precondition(
                head > .zero && body > .zero && send > .zero && leastTaken > 0 && drain > 0 && linger > .zero,
                "limits must be positive")
            self.head = head
            self.body = body
            self.send = send
            self.leastTaken = leastTaken
            self.drain = drain
            self.linger = linger
        }

        var period: TimeAmount {
            .nanoseconds(max(1_000_000, min(self.head, self.body, self.send, self.linger).nanoseconds / 4))
        }
    }
}

/// How fast a client takes what is written to it. A value without a clock and a socket of its own.
struct SendProgress {
    /// What must have been taken, and by when.
    private struct Due {
        /// In bytes, all that was ever written counted.
        let taken: Int
        let deadline: NIODeadline
    }

    /// What must be taken in `duration`, in bytes; less where less is waiting.
    let least: Int
    let duration: TimeAmount
    /// All that was ever written, in bytes.
    var written = 0
    private var due: Due?

    init(least: Int, duration: TimeAmount) {
        self.least = least
        self.duration = duration
    }

    /// To be asked every now and then: the time counts from the first look that finds something waiting.
    ///
    /// - Parameter waiting: What was written and not taken, in bytes.
    mutating func isStalled(waiting: Int, now: NIODeadline) -> Bool {
        let taken = self.written - waiting
        if let due = self.due, waiting > 0, taken < due.taken { return now >= due.deadline }
        self.due =
            waiting == 0 ? nil : Due(taken: taken + min(waiting, self.least), deadline: now + self.duration)
        return false
    }
}

/// Ends connections with a TLS handshake that takes too long, or is under way when the server stops. Stands behind the
/// TLS handler, until the handshake is done.
final class HandshakeDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let limit: TimeAmount
    private var timer: Scheduled<Void>?

    /// - Parameter limit: From the accept on.
    init(_ limit: TimeAmount) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.timer = context.eventLoop.assumeIsolated().scheduleTask(in: self.limit) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.timer?.cancel()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted = event { self.timer?.cancel() }
        // There is no request yet, and no handler that ends connections when the server stops.
        if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.timer?.cancel()
        context.fireChannelInactive()
    }
}

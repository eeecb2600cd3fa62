package import NIOCore
import NIOTLS

/// Closes connections of clients that send or read too slowly.
///
/// Hummingbird's `idleTimeout` restarts with each part of a request and pauses while a request is handled: it closes
/// idle connections, but neither a head nor a body that arrives at a byte per second, nor a response that is not read.
/// These are closed here.
///
/// Deadlines are checked periodically, not timed exactly: a connection may last longer by a quarter of the shortest
/// limit. Connections without a request or response in progress are not checked, and a request needs no timer of its
/// own.
package enum ConnectionDeadlines {
    /// Deadlines of a connection. Each must be positive.
    package struct Limits: Sendable {
        /// Timeout of a request's head, from its first byte; for a connection's first request, from the accept. 10
        /// seconds by default.
        package var head: TimeAmount
        /// Timeout of the body, in addition to ``head``. One minute by default.
        package var body: TimeAmount
        /// Time within which a client must take ``leastTaken`` bytes, or all that are pending. One minute by default.
        /// Bytes in the kernel's buffer count as taken.
        package var send: TimeAmount
        /// Minimum number of bytes that a client must take in ``send``: 64 KiB by default, about 1 KiB per second.
        package var leastTaken: Int
        /// Maximum number of bytes of a request's body that are read after its response; then reading stops. 256 KiB by
        /// default.
        package var drain: Int
        /// Time for taking the last response, from when the server has closed its side of the connection until it
        /// closes the other: a client that is still sending would otherwise lose the response to a reset. 5 seconds by
        /// default.
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

/// Measures how fast a client takes the bytes written to it. A value without clock and socket.
struct SendProgress {
    /// The number of bytes that must have been taken by a deadline.
    private struct Due {
        /// In bytes since the start.
        let taken: Int
        let deadline: NIODeadline
    }

    /// Minimum number of bytes to take in `duration`; fewer if fewer are waiting.
    let least: Int
    let duration: TimeAmount
    /// Number of bytes written since the start.
    var written = 0
    private var due: Due?

    init(least: Int, duration: TimeAmount) {
        self.least = least
        self.duration = duration
    }

    /// Call periodically: the time counts from the first call that finds bytes waiting.
    ///
    /// - Parameter waiting: Number of bytes written and not taken.
    mutating func isStalled(waiting: Int, now: NIODeadline) -> Bool {
        let taken = self.written - waiting
        if let due = self.due, waiting > 0, taken < due.taken { return now >= due.deadline }
        self.due =
            waiting == 0 ? nil : Due(taken: taken + min(waiting, self.least), deadline: now + self.duration)
        return false
    }
}

/// Closes connections with a TLS handshake that takes too long, or is in progress when the server stops. Follows the
/// TLS handler in the pipeline until the handshake is complete.
final class HandshakeDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let limit: TimeAmount
    private var timer: Scheduled<Void>?

    /// - Parameter limit: Timeout from the accept on.
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
        // There is no request yet, and no other handler that closes the connection when the server stops.
        if event is ChannelShouldQuiesceEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.timer?.cancel()
        context.fireChannelInactive()
    }
}

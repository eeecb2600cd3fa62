import HTTPTypes
package import NIOCore
import NIOHTTPTypes
import Synchronization

/// Tracks whether a connection is idle, refused or slow, and may therefore be closed in favour of waiting ones. Written
/// on the connection's event loop, read on any thread.
package final class IdleTracker: Sendable {
    /// Why a connection is closed in favour of others.
    enum Reason: Hashable, Sendable {
        /// It has had no request since this time.
        case idle(since: NIODeadline)
        /// It takes its output more slowly than others.
        case slowness
    }

    /// Bytes that a connection has taken while output was pending.
    private struct Sending {
        /// Maximum age of an observation.
        static let longestPause = TimeAmount.seconds(3)

        let since: NIODeadline
        /// Number of bytes taken since the accept, when the observation began.
        let takenBefore: Int
        var taken: Int
        var lastLook: NIODeadline
    }

    let channel: any Channel
    package let permit: ConnectionPermit
    /// Whether its requests come from many clients.
    let isShared: Bool
    private let underWay = Atomic<Int>(0)
    private let lastRead: Atomic<UInt64>
    private let read = Atomic<Bool>(false)
    private let ending = Atomic<Bool>(false)
    /// Consecutive responses that refused the client for too many requests.
    private let refusals = Atomic<Int>(0)
    private let answers = Atomic<Int>(0)
    private let sending = Mutex<Sending?>(nil)

    init(_ channel: any Channel, hasPermit: Bool = true, isShared: Bool = false, now: NIODeadline) {
        self.channel = channel
        self.permit = ConnectionPermit(isTaken: hasPermit, eventLoop: channel.eventLoop)
        self.isShared = isShared
        self.lastRead = Atomic(now.uptimeNanoseconds)
    }

    /// Time since which the connection is idle; `nil` while a request is handled or output is pending, and once the
    /// connection is being closed.
    var since: NIODeadline? {
        guard self.underWay.load(ordering: .relaxed) == 0, !self.isEnding, self.channel.isWritable else { return nil }
        return .uptimeNanoseconds(self.lastRead.load(ordering: .relaxed))
    }

    /// Whether nothing has arrived since the accept.
    var isSilent: Bool { !self.read.load(ordering: .relaxed) }

    var isEnding: Bool { self.ending.load(ordering: .relaxed) }

    func interrupt(now: NIODeadline) {
        self.read.store(true, ordering: .relaxed)
        self.lastRead.store(now.uptimeNanoseconds, ordering: .relaxed)
    }

    func requestBegan() {
        self.underWay.wrappingAdd(1, ordering: .relaxed)
    }

    func requestEnded() {
        self.underWay.wrappingSubtract(1, ordering: .relaxed)
    }

    // MARK: Refusals

    /// Whether at least the last response refused the client.
    var isRefused: Bool { self.refusals.load(ordering: .relaxed) > 0 }

    var answerCount: Int { self.answers.load(ordering: .relaxed) }

    /// Records a response. Call it on the connection's event loop.
    ///
    /// - Returns: The number of consecutive refusals, this one included; 0 if the response is not a refusal.
    @discardableResult
    package func answered(isRefusal: Bool) -> Int {
        self.answers.store(self.answerCount &+ 1, ordering: .relaxed)
        guard isRefusal, !self.isShared else {
            self.refusals.store(0, ordering: .relaxed)
            return 0
        }
        return self.refusals.wrappingAdd(1, ordering: .relaxed).newValue
    }

    // MARK: Slowness

    func observe() {
        self.channel.eventLoop.execute {
            guard let handler = try? self.channel.pipeline.syncOperations.handler(type: Handler.self) else { return }
            self.observe(handler.sent(on: self.channel), now: .now())
        }
    }

    /// - Parameter sent: The number of bytes that the client has taken since the accept, and whether output is pending;
    ///   `nil` if unknown.
    func observe(_ sent: (taken: Int, isWaiting: Bool)?, now: NIODeadline) {
        self.sending.withLock { sending in
            guard let sent, sent.isWaiting else {
                sending = nil
                return
            }
            // Observations before a pause do not describe the current output.
            if var current = sending, now - current.lastLook <= Sending.longestPause {
                (current.taken, current.lastLook) = (sent.taken, now)
                sending = current
            } else {
                sending = Sending(since: now, takenBefore: sent.taken, taken: sent.taken, lastLook: now)
            }
        }
    }

    /// The client's rate in bytes per second; `nil` if it has taken everything, or was not observed for `duration`.
    func rate(observedFor duration: TimeAmount, now: NIODeadline) -> Int? {
        self.sending.withLock { sending in
            guard let sending, now - sending.lastLook <= Sending.longestPause else { return nil }
            let observed = sending.lastLook - sending.since
            guard observed > .zero, observed >= duration else { return nil }
            return Int(Double(sending.taken - sending.takenBefore) / (Double(observed.nanoseconds) / 1e9))
        }
    }

    // MARK: The end

    /// Delay between the decision to close an idle connection and closing it.
    static let readingTime = TimeAmount.milliseconds(1)

    /// Closes the connection in favour of others, unless its state has changed in between, or it is not set up yet:
    /// handlers that are added later would miss the event that closes it.
    func end(_ reason: Reason) {
        self.channel.eventLoop.execute {
            switch reason {
            case .idle(let since):
                guard self.since == since, IdleTracker.of(self.channel) != nil else { return }
                // A delayed loop may not have read received bytes yet: it does before it runs this task.
                self.channel.eventLoop.scheduleTask(in: Self.readingTime) {
                    guard self.since == since else { return }
                    self.ending.store(true, ordering: .relaxed)
                    self.endInOrder()
                }
            case .slowness:
                self.ending.store(true, ordering: .relaxed)
                self.cut()
            }
        }
    }

    /// Closes the connection in the way of a server that stops.
    private func endInOrder() {
        let pipeline = self.channel.pipeline.syncOperations
        if (try? pipeline.handler(type: HandshakeDeadline.self)) != nil {
            self.channel.close(promise: nil)  // there is no HTTP yet to end gracefully
        } else {
            self.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    private func cut() {
        if let end = try? self.channel.pipeline.syncOperations.handler(type: ConnectionDeadlines.SocketHandler.self) {
            end.cut()
        } else {
            self.channel.close(promise: nil)
        }
    }
}

extension IdleTracker {
    /// Number of consecutive refusals after which a connection is closed: a client that keeps requesting then pays for
    /// an accept each time, and occupies no place.
    static let refusalLimit = 3

    /// - Returns: `nil` if connections are not tracked.
    package static func of(_ channel: any Channel) -> IdleTracker? {
        // Throws if there is no such handler.
        (try? channel.pipeline.syncOperations.handler(type: Handler.self))?.tracker
    }

    /// The tracker of a connection, also for an HTTP/2 stream: its parent is its connection; the parent of a connection
    /// is a listening socket.
    static func ofConnection(of channel: any Channel) -> IdleTracker? {
        self.of(channel) ?? channel.parent.flatMap { $0.eventLoop.inEventLoop ? self.of($0) : nil }
    }

    /// The handler next to the socket.
    final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        /// How long incoming bytes that form no request count as activity: a head that drips does not.
        static let longestStart = TimeAmount.seconds(3)

        let tracker: IdleTracker
        /// Arrival time of the incomplete request's first byte, and the number of requests answered before it.
        private var start: (time: NIODeadline, answerCount: Int)?
        private var streams: [ObjectIdentifier: StreamDeadlines] = [:]

        init(_ tracker: IdleTracker) {
            self.tracker = tracker
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let (now, answerCount) = (context.eventLoop.now, self.tracker.answerCount)
            if let start, start.answerCount == answerCount {
                if now - start.time < Self.longestStart { self.tracker.interrupt(now: now) }
            } else {
                self.start = (now, answerCount)
                self.tracker.interrupt(now: now)
            }
            context.fireChannelRead(data)
        }

        /// Tracks a stream until it closes. Call it on the event loop of both channels.
        func watch(_ stream: any Channel, _ deadlines: StreamDeadlines) {
            let id = ObjectIdentifier(deadlines)
            self.streams[id] = deadlines
            self.tracker.requestBegan()
            stream.closeFuture.assumeIsolated().whenComplete { _ in
                self.streams[id] = nil
                self.tracker.interrupt(now: .now())
                self.tracker.requestEnded()
            }
        }

        /// Bytes that the client has taken, and whether output is pending; `nil` before HTTP is set up.
        func sent(on channel: any Channel) -> (taken: Int, isWaiting: Bool)? {
            guard let end = try? channel.pipeline.syncOperations.handler(type: ConnectionDeadlines.SocketHandler.self)
            else { return nil }
            let sent = end.sent
            // A stream's window may be closed while the connection's socket takes everything.
            return (sent.taken, sent.waiting > 0 || self.streams.values.contains(where: \.isWaiting))
        }
    }

    /// Closes connections that only get refusals, with `Connection: close` in their last response. Placed where
    /// responses are complete, of an HTTP/1.1 connection or HTTP/2 stream.
    final class RefusalHandler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart
        private var tracker: IdleTracker?
        private var isStream = false
        /// Whether the last response has begun, whether it has ended, and whether incoming parts belong to a request
        /// after its own.
        private var (isLast, isOver, isBehind) = (false, false, false)

        func handlerAdded(context: ChannelHandlerContext) {
            self.tracker = IdleTracker.ofConnection(of: context.channel)
            self.isStream = self.tracker.map { $0.channel !== context.channel } ?? false
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if self.isLast, case .head = self.unwrapInboundIn(data) { self.isBehind = true }
            // Requests after the last response are not answered (RFC 9112, 9.6), and do not keep the connection open.
            if !self.isBehind { context.fireChannelRead(data) }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if self.isOver {
                promise?.succeed()
                return
            }
            if self.isLast, case .end = self.unwrapOutboundIn(data) { self.isOver = true }
            guard let tracker, case .head(var head) = self.unwrapOutboundIn(data), head.status.kind != .informational
            else {
                context.write(data, promise: promise)
                return
            }
            let refusals = tracker.answered(isRefusal: head.status == .tooManyRequests)
            guard refusals >= IdleTracker.refusalLimit || tracker.permit.isRefused else {
                context.write(data, promise: promise)
                return
            }
            if !self.isStream {
                self.isLast = true
                head.headerFields[.connection] = "close"
            }
            context.write(self.wrapOutboundOut(.head(head)), promise: promise)
            // The connection closes after this response, as when the server stops.
            tracker.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }
}

import HTTPTypes
package import NIOCore
import NIOHTTPTypes
import Synchronization

/// Tracks when a connection is idle, refused or slow, and so may be ended for waiting ones. Written on the connection's
/// event loop, read from any thread.
package final class IdleTracker: Sendable {
    /// Why a connection is ended for others.
    enum Reason: Hashable, Sendable {
        /// It has been without a request since then.
        case idle(since: NIODeadline)
        /// It takes less of what was written to it than others.
        case slowness
    }

    /// What a connection has taken while something was written to it that it had not.
    private struct Sending {
        /// How old what was seen may be.
        static let longestPause = TimeAmount.seconds(3)

        let since: NIODeadline
        /// In bytes, all that was ever written counted.
        let takenBefore: Int
        var taken: Int
        var lastLook: NIODeadline
    }

    let channel: any Channel
    package let permit: ConnectionPermit
    /// Whether its requests are those of many clients.
    let isShared: Bool
    private let underWay = Atomic<Int>(0)
    private let lastRead: Atomic<UInt64>
    private let read = Atomic<Bool>(false)
    private let ending = Atomic<Bool>(false)
    /// Answers in a row that refused the client for asking too much.
    private let refusals = Atomic<Int>(0)
    private let answers = Atomic<Int>(0)
    private let sending = Mutex<Sending?>(nil)

    init(_ channel: any Channel, hasPermit: Bool = true, isShared: Bool = false, now: NIODeadline) {
        self.channel = channel
        self.permit = ConnectionPermit(isTaken: hasPermit, eventLoop: channel.eventLoop)
        self.isShared = isShared
        self.lastRead = Atomic(now.uptimeNanoseconds)
    }

    /// nil while a request is answered, while the client has not taken what was, and when the connection is being
    /// ended.
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

    /// Whether the last answer, or more, refused the client.
    var isRefused: Bool { self.refusals.load(ordering: .relaxed) > 0 }

    var answerCount: Int { self.answers.load(ordering: .relaxed) }

    /// A request was answered. On the connection's event loop.
    ///
    /// - Returns: How many refusals there were in a row, this one included; 0 for what is none.
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

    /// - Parameter sent: What the client has taken of all that was ever written, in bytes, and whether something is
    ///   left; nil when that is not known.
    func observe(_ sent: (taken: Int, isWaiting: Bool)?, now: NIODeadline) {
        self.sending.withLock { sending in
            guard let sent, sent.isWaiting else {
                sending = nil
                return
            }
            // What was seen before a pause says nothing of what is sent now.
            if var current = sending, now - current.lastLook <= Sending.longestPause {
                (current.taken, current.lastLook) = (sent.taken, now)
                sending = current
            } else {
                sending = Sending(since: now, takenBefore: sent.taken, taken: sent.taken, lastLook: now)
            }
        }
    }

    /// What the client takes, in bytes a second; nil for one that has taken all, or is not observed for so long yet.
    func rate(observedFor duration: TimeAmount, now: NIODeadline) -> Int? {
        self.sending.withLock { sending in
            guard let sending, now - sending.lastLook <= Sending.longestPause else { return nil }
            let observed = sending.lastLook - sending.since
            guard observed > .zero, observed >= duration else { return nil }
            return Int(Double(sending.taken - sending.takenBefore) / (Double(observed.nanoseconds) / 1e9))
        }
    }

    // MARK: The end

    /// From the decision to end an idle connection until it is ended.
    static let readingTime = TimeAmount.milliseconds(1)

    /// Ends the connection for others, unless its state has changed meanwhile.
    func end(_ reason: Reason) {
        self.channel.eventLoop.execute {
            switch reason {
            case .idle(let since):
                guard self.since == since else { return }
                // Something may have come that a late loop has not read yet: it does before it runs this.
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

    /// As a server that stops would.
    private func endInOrder() {
        let pipeline = self.channel.pipeline.syncOperations
        if (try? pipeline.handler(type: HandshakeDeadline.self)) != nil {
            self.channel.close(promise: nil)  // there is no HTTP yet that could be ended
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
    /// Refusals in a row after which a connection ends: a client that goes on asking costs an accept each time, and
    /// holds no place.
    static let refusalLimit = 3

    /// - Returns: nil where connections are not watched.
    package static func of(_ channel: any Channel) -> IdleTracker? {
        // It throws when there is none.
        (try? channel.pipeline.syncOperations.handler(type: Handler.self))?.tracker
    }

    /// The same, also for a stream of HTTP/2: its parent is its connection; the parent of a connection is a listening
    /// socket.
    static func ofConnection(of channel: any Channel) -> IdleTracker? {
        self.of(channel) ?? channel.parent.flatMap { $0.eventLoop.inEventLoop ? self.of($0) : nil }
    }

    /// Stands next to the socket.
    final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        /// How long what comes without becoming a request is a sign of life: a head that drips is none.
        static let longestStart = TimeAmount.seconds(3)

        let tracker: IdleTracker
        /// When the first came of what is no request yet, and how many requests were answered by then.
        private var start: (time: NIODeadline, answerCount: Int)?
        /// Of HTTP/2, those that are open.
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

        /// To be called on the event loop of both.
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

        /// What the client has taken; nil before there is HTTP.
        func sent(on channel: any Channel) -> (taken: Int, isWaiting: Bool)? {
            guard let end = try? channel.pipeline.syncOperations.handler(type: ConnectionDeadlines.SocketHandler.self)
            else { return nil }
            let sent = end.sent
            // A stream's window may be closed while the connection's socket takes all.
            return (sent.taken, sent.waiting > 0 || self.streams.values.contains(where: \.isWaiting))
        }
    }

    /// Ends connections that are only refused, with `Connection: close` in their last response. Stands where responses
    /// are whole, of a connection of HTTP/1.1 or a stream of HTTP/2.
    final class RefusalHandler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart
        private var tracker: IdleTracker?
        private var isStream = false
        /// Whether the last answer has been begun, whether it has ended, and whether what arrives is behind its
        /// request.
        private var (isLast, isOver, isBehind) = (false, false, false)

        func handlerAdded(context: ChannelHandlerContext) {
            self.tracker = IdleTracker.ofConnection(of: context.channel)
            self.isStream = self.tracker.map { $0.channel !== context.channel } ?? false
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if self.isLast, case .head = self.unwrapInboundIn(data) { self.isBehind = true }
            // Requests behind the last answer are not answered (RFC 9112, 9.6), and do not keep the connection.
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
            // The connection ends behind this answer, as when the server stops.
            tracker.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }
}

import HTTPTypes
package import NIOCore
import NIOHTTPTypes

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

    /// Stands where requests of HTTP/1.1 are whole. What is answered before they are is over at once.
    final class RequestBoundaryHandler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart
        private var tracker: IdleTracker?
        private var underWay = 0

        func handlerAdded(context: ChannelHandlerContext) {
            self.tracker = IdleTracker.of(context.channel)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head = self.unwrapInboundIn(data) {
                self.underWay += 1
                self.tracker?.requestBegan()
            }
            context.fireChannelRead(data)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            // What cannot be read is refused without having begun.
            if case .end = self.unwrapOutboundIn(data), self.underWay > 0 {
                self.underWay -= 1
                self.tracker?.interrupt(now: context.eventLoop.now)
                self.tracker?.requestEnded()
            }
            context.write(data, promise: promise)
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

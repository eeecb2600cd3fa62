import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Lets connections end as their clients expect (RFC 9112, 9.3).
enum ConnectionPersistence {
    /// Writes `Connection: close` as Hummingbird reads it: exactly so. Clients also write `Close`, put it in a list, or
    /// speak HTTP/1.0, where closing is the rule; they would wait for an end that comes only with the idle timeout.
    static func normalise(_ head: inout HTTPRequestHead) {
        guard !head.isKeepAlive || head.version != .http1_1 else { return }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // There is no 100 in HTTP/1.0, whatever such a client expects (RFC 9110, 10.1.1).
        if head.version != .http1_1 { head.headers.remove(name: "Expect") }
    }

    /// Closes the connection behind its last response, which says so in `Connection: close` (RFC 9112, 9.6).
    ///
    /// The last response is that to a client that closes, the one under way when the server stops, one that says so
    /// itself, and one to a request with a body not worth reading to its end: more than `drain` bytes, of unknown
    /// length, or never to come, because the client waits for a 100 that it has not got (RFC 9110, 10.1.1).
    ///
    /// Stands where requests of HTTP/1.1 are whole, and so reports them to the ``IdleTracker``, too.
    final class LastResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        /// A request with a response that has not ended.
        private struct Pending {
            let isLast: Bool
            /// Whether the client may send no body before it has a 100.
            var awaitsContinue: Bool
            /// Bytes of the body that have not arrived; nil when that is not known.
            var left: Int?
            var isWhole = false
        }

        private let drain: Int
        private var tracker: IdleTracker?
        private var pending = CircularBuffer<Pending>()
        private var isQuiescing = false
        /// Whether the response under way is the last one.
        private var isClosing = false

        /// - Parameter drain: Bytes of a body that are read behind its response.
        init(drain: Int) {
            self.drain = drain
        }

        func handlerAdded(context: ChannelHandlerContext) {
            self.tracker = IdleTracker.of(context.channel)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head):
                self.tracker?.requestBegan()
                let fields = head.headerFields
                let length = fields[.contentLength].map { Int($0) } ?? 0
                self.pending.append(
                    Pending(
                        isLast: fields[.connection] == "close", awaitsContinue: Expectation(fields) == .continue,
                        left: fields[.transferEncoding] == nil ? length : nil))
            case .body(let bytes):
                self.pending.modifyLast { request in
                    request.awaitsContinue = false
                    request.left = request.left.map { $0 - bytes.readableBytes }
                }
            case .end: self.pending.modifyLast { $0.isWhole = true }
            }
            context.fireChannelRead(data)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { self.isQuiescing = true }
            context.fireUserInboundEventTriggered(event)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch self.unwrapOutboundIn(data) {
            case .head(let head) where head.status.kind == .informational:
                guard self.pending.first?.awaitsContinue == true else {
                    promise?.succeed()  // the body comes already
                    return
                }
                self.pending[self.pending.startIndex].awaitsContinue = false
                context.write(data, promise: promise)
            case .head(var head):
                self.isClosing = self.isLast(head)
                if self.isClosing { head.headerFields[.connection] = "close" }
                context.write(self.wrapOutboundOut(.head(head)), promise: promise)
            case .body: context.write(data, promise: promise)
            case .end:
                // What cannot be read is refused without having begun.
                if self.pending.popFirst() != nil {
                    self.tracker?.interrupt(now: context.eventLoop.now)
                    self.tracker?.requestEnded()
                }
                context.write(data, promise: promise)
                guard self.isClosing else { return }
                self.isClosing = false
                context.flush()
                context.close(mode: .output, promise: nil)
            }
        }

        private func isLast(_ head: HTTPResponse) -> Bool {
            if head.headerFields[.connection] == "close" { return true }
            // What cannot be read has its response without having begun.
            guard let request = self.pending.first else { return false }
            if request.isLast || self.isQuiescing && self.pending.count == 1 { return true }
            if request.isWhole { return false }
            return request.awaitsContinue || request.left.map { $0 > self.drain } ?? true
        }
    }
}

extension CircularBuffer {
    fileprivate mutating func modifyLast(_ change: (inout Element) -> Void) {
        guard !self.isEmpty else { return }
        change(&self[self.index(before: self.endIndex)])
    }
}

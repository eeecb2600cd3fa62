import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Closes connections as their clients expect (RFC 9112, 9.3).
enum ConnectionPersistence {
    /// Writes `Connection: close` in exactly this form, which Hummingbird expects. Clients also write `Close`, put it
    /// in a list, or use HTTP/1.0, where closing is the default; without this they would wait for the idle timeout.
    static func normalise(_ head: inout HTTPRequestHead) {
        guard !head.isKeepAlive || head.version != .http1_1 else { return }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // HTTP/1.0 has no 100, whatever such a client expects (RFC 9110, 10.1.1).
        if head.version != .http1_1 { head.headers.remove(name: "Expect") }
    }

    /// Closes the connection after its last response, which announces it by `Connection: close` (RFC 9112, 9.6).
    ///
    /// The last response is one to a client that closes, one in progress when the server stops, one with that field, or
    /// one to a request with a body not worth reading to its end: more than `drain` bytes, of unknown length, or one
    /// that is never sent, because the client waits for a 100 that it has not got (RFC 9110, 10.1.1).
    ///
    /// Placed where HTTP/1.1 requests are complete, and therefore reports them to the ``IdleTracker``, too.
    final class LastResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        /// A request with an unfinished response.
        private struct Pending {
            let isLast: Bool
            /// Whether the client may wait for a 100 before it sends the body.
            var awaitsContinue: Bool
            /// Bytes of the body that have not arrived; `nil` if unknown.
            var left: Int?
            var isWhole = false
        }

        private let drain: Int
        private var tracker: IdleTracker?
        private var pending = CircularBuffer<Pending>()
        private var isQuiescing = false
        /// Whether the current response is the last one.
        private var isClosing = false

        /// - Parameter drain: Maximum number of bytes of a body that are read after its response.
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
                    promise?.succeed()  // the body is already arriving
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
                // Unreadable requests are answered without being in the queue.
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
            // An unreadable request is answered without being in the queue.
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

import HTTPTypes
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Lets connections end as their clients expect (RFC 9112, 9.3).
///
/// Hummingbird ends a connection for a `Connection` header that is exactly `close`. Clients also write `Close`, put it
/// in a list, or speak HTTP/1.0, where closing is the rule; they would wait for an end that comes only with the idle
/// timeout.
package enum ConnectionPersistence {
    /// Give it to `.http1(configuration: .init(additionalChannelHandlers:))`.
    ///
    /// It stands where requests have no version any more, so it puts the real handler right behind the decoder.
    package final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        package typealias InboundIn = NIOAny

        package init() {}

        package func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<RequestDecoder>.self)
                try pipeline.addHandler(Normaliser(), position: .after(decoder))
            } catch {
                context.fireErrorCaught(error)
            }
        }
    }

    private final class Normaliser: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = self.unwrapInboundIn(data), !head.isKeepAlive || head.version != .http1_1
            else {
                context.fireChannelRead(data)
                return
            }
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // There is no 100 in HTTP/1.0, whatever such a client expects (RFC 9110, 10.1.1).
            if head.version != .http1_1 { head.headers.remove(name: "Expect") }
            context.fireChannelRead(self.wrapInboundOut(.head(head)))
        }
    }
}

extension ConnectionPersistence {
    /// Closes the connection behind its last response, which says so in `Connection: close` (RFC 9112, 9.6).
    ///
    /// The last response is that to a client that closes, the one under way when the server stops, one that says so
    /// itself, and one to a request with a body not worth reading to its end: more than `drain` bytes, of unknown
    /// length, or never to come, because the client waits for a 100 that it has not got (RFC 9110, 10.1.1).
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
        private var pending = CircularBuffer<Pending>()
        private var isQuiescing = false
        /// Whether the response under way is the last one.
        private var isClosing = false

        /// - Parameter drain: Bytes of a body that are read behind its response.
        init(drain: Int) {
            self.drain = drain
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head):
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
                context.write(data, promise: promise)
                _ = self.pending.popFirst()
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

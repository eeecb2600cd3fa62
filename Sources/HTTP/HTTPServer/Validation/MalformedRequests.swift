import HTTPSemantics
import HTTPTypes
package import NIOCore
import NIOHTTP1
package import NIOHTTPTypes

/// Says what is wrong with requests that cannot be read, and looks at what the decoder does not: RFC 9112 wants exactly
/// one `Host` (3.2), and a target must end somewhere (3).
///
/// The connection ends with that answer. Requests before it are answered first.
package enum MalformedRequests {
    /// Path and query, in bytes; RFC 9112 recommends at least 8000.
    package static let targetLimit = 8192

    /// Give it to `.http1(configuration: .init(additionalChannelHandlers:))` as the last of those that stand around the
    /// decoder.
    package final class Handler: ChannelDuplexHandler, RemovableChannelHandler {
        /// A request's parts, as Hummingbird has them.
        package typealias InboundIn = HTTPRequestPart
        package typealias InboundOut = HTTPRequestPart
        /// An answer's parts.
        package typealias OutboundIn = HTTPResponsePart
        package typealias OutboundOut = HTTPResponsePart

        private let serverName: String?
        private let recorder: RequestRecorder?
        private let lines: LineCheck
        private let check: HeadCheck
        /// Requests that began, and answers that ended.
        private var (begun, answered) = (0, 0)
        private var isBodyUnderWay = false
        /// The last that began.
        private var request: HTTPRequest?
        /// What is wrong, how many answers go before it, and whether this one has no body.
        private var refusal: (problem: Problem, answersBefore: Int, isHead: Bool, requestID: RequestID)?
        /// Whether what Hummingbird writes now is replaced.
        private var isReplacing = false

        /// - Parameters:
        ///   - serverName: For `Server`; nil leaves it out.
        ///   - recorder: Records every request that is refused before a route has it.
        package init(serverName: String? = nil, recorder: RequestRecorder? = nil) {
            self.serverName = serverName
            self.recorder = recorder
            let lines = LineCheck()
            (self.lines, self.check) = (lines, HeadCheck(lines: lines))
        }

        package func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<RequestDecoder>.self)
                try pipeline.addHandler(self.lines, position: .before(decoder))
                try pipeline.addHandler(self.check, position: .after(decoder))
            } catch {
                context.fireErrorCaught(error)
            }
        }

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head):
                self.request = head
                self.begun += 1
                self.isBodyUnderWay = true
            case .body: break
            case .end: self.isBodyUnderWay = false
            }
            context.fireChannelRead(data)
        }

        package func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if let error = error as? HTTPParserError, self.refusal == nil { self.refuse(error, context) }
            context.fireErrorCaught(error)
        }

        private func refuse(_ error: HTTPParserError, _ context: ChannelHandlerContext) {
            let refusal = self.check.refusal ?? Refusal(problem: Problem(error))
            if self.isBodyUnderWay {
                // A request with a malformed body has no other response than this, and is recorded by its route.
                let fields = self.request?.headerFields ?? [:]
                let name = RequestID(given: fields[.requestID], traceparent: fields[.traceparent])
                self.refusal = (refusal.problem, self.begun - 1, self.request?.method == .head, name ?? .make())
                return
            }
            // Of a head that could not be read, not even the method is known.
            let head = self.check.refused
            let name =
                RequestID(
                    given: head?.headers.first(name: HTTPField.Name.requestID.rawName),
                    traceparent: head?.headers.first(name: HTTPField.Name.traceparent.rawName)) ?? .make()
            self.refusal = (refusal.problem, self.begun, head?.method == .HEAD, name)
            self.recorder?.record(refusal, name, context)
        }

        package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let part = self.unwrapOutboundIn(data)
            switch part {
            case .head(let head) where self.isHummingbirds(head):
                self.isReplacing = true
                promise?.succeed()
            case .end where self.isReplacing: self.refuse(context, promise)
            case .body where self.isReplacing: promise?.succeed()
            case .head, .body: context.write(data, promise: promise)
            case .end:
                self.answered += 1
                context.write(data, promise: promise)
            }
        }

        /// Whether it is the empty answer that Hummingbird has for what cannot be read.
        private func isHummingbirds(_ head: HTTPResponse) -> Bool {
            guard let refusal = self.refusal, self.answered >= refusal.answersBefore else { return false }
            return head.status == .badRequest && head.headerFields[.contentLength] == "0"
                && head.headerFields[.connection] == "close"
        }

        private func refuse(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
            self.isReplacing = false
            guard let refusal = self.refusal, self.answered == refusal.answersBefore else {
                promise?.succeed()  // the request had its answer before its body went wrong
                return
            }
            self.answered += 1
            var response = MalformedRequests.response(
                refusal.problem, requestID: refusal.requestID, serverName: self.serverName)
            response.head.headerFields[.connection] = "close"
            context.write(self.wrapOutboundOut(.head(response.head)), promise: nil)
            if !refusal.isHead {
                context.write(self.wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
            }
            context.write(self.wrapOutboundOut(.end(nil)), promise: promise)
        }
    }
}

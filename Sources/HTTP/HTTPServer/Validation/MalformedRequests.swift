import HTTPSemantics
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Answers unreadable requests with a problem document, and checks rules that the decoder ignores: RFC 9112 requires
/// exactly one `Host` (3.2), and a target must have a bounded length (3).
///
/// The connection closes after that response. Requests before it are answered first.
enum MalformedRequests {
    /// Maximum length of path and query, in bytes; RFC 9112 recommends at least 8000.
    static let targetLimit = 8192

    /// Replaces Hummingbird's response to unreadable requests; placed where that is written.
    final class Handler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private let serverName: String?
        private let recorder: RequestRecorder?
        private let check: HeadCheck
        /// Number of requests that began, and of responses that ended.
        private var (begun, answered) = (0, 0)
        private var isBodyUnderWay = false
        /// The last request that began.
        private var request: HTTPRequest?
        /// The problem, the number of responses before this one, and whether this one has no body.
        private var refusal: (problem: Problem, answersBefore: Int, isHead: Bool, requestID: RequestID)?
        /// Whether Hummingbird's current response is being replaced.
        private var isReplacing = false

        /// - Parameters:
        ///   - check: The check that follows the connection's decoder.
        ///   - serverName: The `Server` field; `nil` omits it.
        ///   - recorder: Records every request that is rejected before a route receives it.
        init(_ check: HeadCheck, serverName: String?, recorder: RequestRecorder?) {
            self.check = check
            self.serverName = serverName
            self.recorder = recorder
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
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
            // If the head could not be read, not even the method is known.
            let head = self.check.refused
            let name =
                RequestID(
                    given: head?.headers.first(name: HTTPField.Name.requestID.rawName),
                    traceparent: head?.headers.first(name: HTTPField.Name.traceparent.rawName)) ?? .make()
            self.refusal = (refusal.problem, self.begun, head?.method == .HEAD, name)
            self.recorder?.record(refusal, name, context)
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
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

        /// Whether the head belongs to Hummingbird's empty response to an unreadable request.
        private func isHummingbirds(_ head: HTTPResponse) -> Bool {
            guard let refusal = self.refusal, self.answered >= refusal.answersBefore else { return false }
            return head.status == .badRequest && head.headerFields[.contentLength] == "0"
                && head.headerFields[.connection] == "close"
        }

        private func refuse(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
            self.isReplacing = false
            guard let refusal = self.refusal, self.answered == refusal.answersBefore else {
                promise?.succeed()  // the request was answered before its body became malformed
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

extension MalformedRequests {
    /// The response to a problem that no route handles.
    static func response(
        _ problem: Problem, requestID: RequestID, serverName: String?
    ) -> (head: HTTPResponse, body: [UInt8]) {
        let body = problem.json(requestID: requestID.description)
        var head = HTTPResponse(
            status: .init(code: problem.kind.status), headerFields: problem.fields(requestID: requestID))
        head.headerFields.addSecurityFields(status: head.status)
        head.headerFields[.contentLength] = "\(body.count)"
        head.headerFields[.date] = HTTPDate.text(HTTPDate.currentSecond())
        head.headerFields[.server] = serverName
        return (head, body)
    }
}

extension RequestRecorder {
    /// Records a request that was rejected before a route received it.
    func record(_ refusal: MalformedRequests.Refusal, _ id: RequestID, _ context: ChannelHandlerContext) {
        // A client that has closed both directions in the middle of a head receives nothing.
        let isThere = context.channel.isActive
        var record = RequestRecord(
            method: refusal.method, target: refusal.target, route: RequestRecord.noRoute,
            status: isThere ? refusal.problem.kind.status : RequestRecord.abandonedStatus,
            bodyLength: isThere ? refusal.problem.json(requestID: id.description).count : 0, duration: .zero,
            way: .eventLoop)
        record.requestID = id.description
        // The channel's address: asking the context of an HTTP/2 stream is a fatal error in NIO.
        if self.wantsNames { record.client = ClientAddress(context.channel.remoteAddress) }
        self.recordRefusal(record)
    }
}

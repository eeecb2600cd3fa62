import HTTPSemantics
import HTTPTypes
import NIOCore
import NIOHTTPTypes

extension MalformedRequests {
    /// Rejects HTTP/2 requests that HTTP/1.1 would reject: no decoder checks their target, scheme and authority (RFC
    /// 9113, 8.3.1). Add it to each stream; the stream ends with that response, and the connection continues.
    final class StreamHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundOut = HTTPResponsePart

        /// HTTP/1.1's field, which clients may send instead of `:authority`.
        private static let host = HTTPField.Name("Host")!

        private let serverName: String?
        private let recorder: RequestRecorder?
        private var isRefused = false

        /// - Parameters:
        ///   - serverName: The `Server` field; `nil` omits it.
        ///   - recorder: Records every request that is rejected here.
        init(serverName: String?, recorder: RequestRecorder?) {
            self.serverName = serverName
            self.recorder = recorder
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !self.isRefused else { return }
            guard case .head(var head) = self.unwrapInboundIn(data) else {
                context.fireChannelRead(data)
                return
            }
            if let problem = Self.problem(head) {
                self.isRefused = true
                self.refuse(head, problem, context)
                return
            }
            // As for HTTP/1.1: the following handlers find the authority in one place.
            head.authority = head.authority ?? head.headerFields[Self.host]
            head.headerFields[Self.host] = nil
            context.fireChannelRead(self.wrapInboundOut(.head(head)))
        }

        static func problem(_ head: HTTPRequest) -> Problem? {
            if head.method == .connect { return .connectRefused }
            let scheme = head.scheme?.lowercased()
            guard scheme == "http" || scheme == "https" else {
                return Problem(.malformedRequest, "the scheme must be http or https")
            }
            let problem = Problem(target: head.path ?? "") ?? Problem(values: head.headerFields.lazy.map(\.value))
            if let problem { return problem }
            // NIO's handler compares it with the body, and also reads numbers with a sign.
            guard head.headerFields[values: .contentLength].allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else {
                return Problem(.malformedRequest, "Content-Length is not a number")
            }
            let hosts = head.headerFields[values: Self.host]
            guard let authority = head.authority ?? hosts.first else {
                return Problem(.malformedRequest, "the request has neither :authority nor Host; one of them is needed")
            }
            guard HostField.isValid(authority) else {
                return Problem(
                    .malformedRequest, "\(head.authority == nil ? "Host" : ":authority") is not a valid host and port")
            }
            let place = HostField.normal(authority, scheme: scheme)
            guard hosts.count <= 1, hosts.allSatisfy({ HostField.normal($0, scheme: scheme) == place }) else {
                return Problem(.malformedRequest, "Host does not match :authority (RFC 9113, 8.3.1)")
            }
            return nil
        }

        private func refuse(_ head: HTTPRequest, _ problem: Problem, _ context: ChannelHandlerContext) {
            let fields = head.headerFields
            let id = RequestID(given: fields[.requestID], traceparent: fields[.traceparent]) ?? .make()
            let response = MalformedRequests.response(problem, requestID: id, serverName: self.serverName)
            let refusal = Refusal(problem: problem, method: head.method.rawValue, target: head.path ?? "-")
            self.recorder?.record(refusal, id, context)
            context.write(self.wrapOutboundOut(.head(response.head)), promise: nil)
            if head.method != .head {
                context.write(self.wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
            }
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

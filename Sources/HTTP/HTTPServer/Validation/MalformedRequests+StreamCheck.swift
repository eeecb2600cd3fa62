import HTTPSemantics
import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

extension MalformedRequests {
    /// Rejects requests of HTTP/2 that HTTP/1.1 would reject: its target, scheme and authority are looked at by no
    /// decoder (RFC 9113, 8.3.1). Give it to each stream; the stream ends with that response, and the connection goes
    /// on.
    package final class StreamHandler: ChannelInboundHandler, RemovableChannelHandler {
        /// A request's parts, as Hummingbird has them.
        package typealias InboundIn = HTTPRequestPart
        package typealias InboundOut = HTTPRequestPart
        /// A response's parts.
        package typealias OutboundOut = HTTPResponsePart

        /// Of HTTP/1.1, which takes it for the authority.
        private static let host = HTTPField.Name("Host")!

        private let serverName: String?
        private let recorder: RequestRecorder?
        private var isRefused = false

        /// - Parameters:
        ///   - serverName: For `Server`; nil leaves it out.
        ///   - recorder: Records every request that is rejected here.
        package init(serverName: String? = nil, recorder: RequestRecorder? = nil) {
            self.serverName = serverName
            self.recorder = recorder
        }

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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
            // As of HTTP/1.1: whatever is behind this has one place to look for it.
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
            if let problem = Problem(target: head.path ?? "") { return problem }
            let hosts = head.headerFields[values: Self.host]
            guard let authority = head.authority ?? hosts.first else {
                return Problem(.malformedRequest, "there is neither :authority nor Host; a request needs one of them")
            }
            guard HostField.isValid(authority) else {
                return Problem(
                    .malformedRequest, "\(head.authority == nil ? "Host" : ":authority") is no host and port")
            }
            let place = HostField.normal(authority, scheme: scheme)
            guard hosts.count <= 1, hosts.allSatisfy({ HostField.normal($0, scheme: scheme) == place }) else {
                return Problem(.malformedRequest, "Host is not what :authority says (RFC 9113, 8.3.1)")
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

    /// A problem as it is sent past the routes.
    static func response(
        _ problem: Problem, requestID: RequestID, serverName: String?
    ) -> (head: HTTPResponse, body: [UInt8]) {
        let body = problem.json(requestID: requestID.description)
        var head = HTTPResponse(
            status: .init(code: problem.kind.status), headerFields: problem.fields(requestID: requestID))
        SecurityHeadersMiddleware.protect(&head.headerFields, status: head.status)
        head.headerFields[.contentLength] = "\(body.count)"
        head.headerFields[.date] = HTTPDate.text(HTTPDate.currentSecond())
        head.headerFields[.server] = serverName
        return (head, body)
    }
}

extension RequestRecorder {
    /// Records a request that was rejected before a route had it.
    func record(_ refusal: MalformedRequests.Refusal, _ id: RequestID, _ context: ChannelHandlerContext) {
        // A client that has closed both ways in the midst of a head receives nothing any more.
        let isThere = context.channel.isActive
        var record = RequestRecord(
            method: refusal.method, target: refusal.target, route: RequestRecord.noRoute,
            status: isThere ? refusal.problem.kind.status : RequestRecord.abandonedStatus,
            bodyLength: isThere ? refusal.problem.json(requestID: id.description).count : 0, duration: .zero,
            way: .eventLoop)
        record.requestID = id.description
        if self.wantsNames { record.client = ClientAddress(context.remoteAddress) }
        self.recordRefusal(record)
    }
}

extension Problem {
    /// Of a target whatever the version; nil when it can be read on.
    init?(target: String) {
        let length = target.utf8.count
        if length > MalformedRequests.targetLimit {
            self.init(
                .targetTooLong,
                "path and query have \(length) bytes; at most \(MalformedRequests.targetLimit) are read")
        } else if target.utf8.contains(UInt8(ascii: "#")) {
            self.init(.malformedRequest, "the target has a fragment, which is not sent (RFC 9110, 7.1)")
        } else if target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            self.init(.malformedRequest, "the target holds bytes that must be encoded")
        } else {
            return nil
        }
    }

    /// Of `CONNECT`, which asks for a tunnel (RFC 9110, 9.3.6).
    static var connectRefused: Problem {
        var problem = Problem(.methodNotAllowed, "CONNECT is not possible here: this is no proxy")
        problem.allow = OptionsResponse.methodsOfAll + ", OPTIONS"
        return problem
    }
}

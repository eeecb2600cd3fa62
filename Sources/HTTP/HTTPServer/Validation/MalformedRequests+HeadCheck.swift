import HTTPSemantics
import NIOCore
import NIOHTTP1

extension MalformedRequests {
    /// The problem of a rejected request, and its method and target.
    struct Refusal {
        let problem: Problem
        /// The method as received, like the target; `-` if the decoder could not read the request.
        var method = "-"
        var target = "-"
    }

    /// Follows the decoder, where requests have a version and all their fields. Passes requests on in origin form, with
    /// `Connection: close` if the client wants it.
    final class HeadCheck: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        /// The problem of a request that the decoder could read; nothing is passed on after it.
        private(set) var refusal: Refusal?
        /// The head of the rejected request, if its fields and method could be parsed.
        private(set) var refused: HTTPRequestHead?
        private let lines: LineCheck

        init(lines: LineCheck) {
            self.lines = lines
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard self.refusal == nil else { return }
            guard case .head(let head) = self.unwrapInboundIn(data) else { return context.fireChannelRead(data) }
            do throws(Problem) {
                if let problem = Self.problem(head) { throw problem }
                var head = try AbsoluteTarget.inOriginForm(head)
                ConnectionPersistence.normalise(&head)
                context.fireChannelRead(self.wrapInboundOut(.head(head)))
            } catch {
                self.refusal = Refusal(problem: error, method: head.method.rawValue, target: head.uri)
                self.refused = head
                // As an error of the decoder, to which the following handlers react.
                context.fireErrorCaught(HTTPParserError.unknown)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if self.refusal == nil, error as? HTTPParserError == .invalidVersion, self.lines.hasBareLineEnd {
                self.refusal = Refusal(
                    problem: Problem(
                        .malformedRequest, "a line ends in LF only; lines must end in CR LF (RFC 9112, 2.2)"))
            }
            context.fireErrorCaught(error)
        }

        static func problem(_ head: HTTPRequestHead) -> Problem? {
            if head.method == .CONNECT { return .connectRefused }
            let problem = Problem(target: head.uri) ?? Problem(values: head.headers.lazy.map(\.value))
            if let problem = problem ?? Self.framingProblem(head) { return problem }
            let hosts = head.headers["host"]
            let count = hosts.count
            if count > 1 {
                return Problem(.malformedRequest, "the request has \(count) Host fields; exactly one is required")
            }
            if count == 0, head.version != .http1_0, head.version != .http0_9 {
                return Problem(.malformedRequest, "the Host field is missing; HTTP/1.1 requires it (RFC 9112, 3.2)")
            }
            guard hosts.allSatisfy(HostField.isValid) else {
                return Problem(.malformedRequest, "Host is not a valid host and port")
            }
            return nil
        }

        /// A body has one length for every recipient (RFC 9112, 6.1 and 6.3). The decoder ignores an empty
        /// `Transfer-Encoding`, and others if there is no body to read.
        private static func framingProblem(_ head: HTTPRequestHead) -> Problem? {
            let codings = head.headers["transfer-encoding"]
            guard !codings.isEmpty else { return nil }
            guard codings.count == 1, codings[0].lowercased().trimmingBlanks == "chunked" else {
                return Problem(.malformedRequest, "Transfer-Encoding must be chunked, once, or omitted")
            }
            guard !head.headers.contains(name: "content-length") else {
                return Problem(
                    .malformedRequest, "the request has both Transfer-Encoding and Content-Length; only one is allowed")
            }
            guard head.version == .http1_1 else {
                return Problem(.malformedRequest, "Transfer-Encoding requires HTTP/1.1")
            }
            return nil
        }
    }
}

extension Problem {
    /// The problem of a target in any HTTP version; `nil` if the target is acceptable so far.
    init?(target: String) {
        let length = target.utf8.count
        if length > MalformedRequests.targetLimit {
            self.init(
                .targetTooLong,
                "path and query have \(length) bytes; the maximum is \(MalformedRequests.targetLimit)")
        } else if target.utf8.contains(UInt8(ascii: "#")) {
            self.init(.malformedRequest, "the target must not have a fragment (RFC 9110, 7.1)")
        } else if target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
            self.init(.malformedRequest, "the target contains bytes that must be percent-encoded")
        } else {
            return nil
        }
    }

    /// The problem of fields in any HTTP version; `nil` if their values are acceptable so far.
    init?(values: some Sequence<String>) {
        guard values.contains(where: CombiningMarks.exceedLimit) else { return nil }
        self.init(
            .malformedRequest, "a field's value has more than \(CombiningMarks.limit) combining marks in a row")
    }

    /// The problem of `CONNECT`, which requests a tunnel (RFC 9110, 9.3.6).
    static var connectRefused: Problem {
        var problem = Problem(.methodNotAllowed, "CONNECT is not allowed: this server is not a proxy")
        problem.allow = OptionsResponse.methodsOfAll + ", OPTIONS"
        return problem
    }
}

extension Problem {
    /// The problem of a decoder's error, for the client.
    init(_ error: HTTPParserError) {
        switch error {
        case .headerOverflow:
            self.init(
                .headerTooLarge,
                "a request has at most \(HeadLimits.fieldCount) header fields, and \(HeadLimits.byteCount) bytes of "
                    + "target and header fields")
        case .invalidVersion:
            self.init(.unsupportedVersion, "this server supports HTTP/1.1, and HTTP/2 over TLS")
        case .invalidMethod: self.init(.malformedRequest, "the method is unknown")
        case .invalidURL:
            self.init(.malformedRequest, "the target is not a path, or contains bytes that must be percent-encoded")
        case .invalidContentLength, .unexpectedContentLength:
            self.init(.malformedRequest, "Content-Length is not a number, or is combined with Transfer-Encoding")
        case .invalidChunkSize: self.init(.malformedRequest, "a chunk of the body has an invalid size")
        case .invalidHeaderToken: self.init(.malformedRequest, "a field's name or value contains invalid characters")
        case .invalidEOFState: self.init(.malformedRequest, "the connection ended before the request was complete")
        default: self.init(.malformedRequest, "the request is not valid HTTP/1.1 (RFC 9112)")
        }
    }
}

extension MalformedRequests {
    /// Precedes the decoder, which reports a wrong version if the request line ends in LF alone.
    final class LineCheck: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        /// The bytes that the decoder is reading.
        private var bytes: ByteBuffer?
        /// The last byte that it has read before.
        private var lastByte: UInt8?

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = self.unwrapInboundIn(data)
            self.bytes = bytes
            context.fireChannelRead(data)
            self.bytes = nil
            self.lastByte = bytes.readableBytesView.last ?? self.lastByte
        }

        /// Whether a line of the bytes being decoded ends in LF alone; valid only during decoding.
        var hasBareLineEnd: Bool {
            var before = self.lastByte
            for byte in self.bytes?.readableBytesView ?? ByteBufferView() {
                if byte == UInt8(ascii: "\n"), before != UInt8(ascii: "\r") { return true }
                before = byte
            }
            return false
        }
    }
}

/// A request's target in absolute form (RFC 9112, 3.2.2). Its authority is the request's, and `Host` is ignored: a
/// client or a cache requested the target, and the field may name another host.
struct AbsoluteTarget: Hashable {
    /// Host and port in lower case, without the scheme's own port.
    let authority: String
    /// Path and query; `*` for `OPTIONS` of the whole server (RFC 9112, 3.2.4).
    let target: String

    /// - Returns: `nil` if the target has another form.
    /// - Throws: ``Problem`` of the kind `malformed-request` if the authority is not a host and port.
    init?(_ uri: String, method: HTTPMethod) throws(Problem) {
        // Fast path: most targets begin with a slash.
        guard uri.utf8.first != UInt8(ascii: "/") else { return nil }
        let start = Substring(uri.utf8.prefix(8)).lowercased()
        guard let scheme = ["http://", "https://"].first(where: start.hasPrefix) else { return nil }
        let rest = uri.utf8.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex(where: "/?#".utf8.contains) ?? rest.endIndex
        do throws(RemoteURL.Malformed) {
            self.authority = try URLAuthority(Substring(rest[..<end]), isTLS: scheme == "https://").text
        } catch {
            throw Problem(.malformedRequest, "the target \(error.reason); RFC 9112, 3.2.2")
        }
        if end == rest.endIndex {
            self.target = method == .OPTIONS ? "*" : "/"
        } else {
            self.target = (rest[end] == UInt8(ascii: "/") ? "" : "/") + uri[end...]
        }
    }

    /// - Returns: The request in origin form, with the authority as its `Host`; requests in other forms unchanged.
    /// - Throws: The errors of ``init(_:method:)``.
    static func inOriginForm(_ head: HTTPRequestHead) throws(Problem) -> HTTPRequestHead {
        guard let absolute = try AbsoluteTarget(head.uri, method: head.method) else { return head }
        var head = head
        head.uri = absolute.target
        head.headers.replaceOrAdd(name: "Host", value: absolute.authority)
        return head
    }
}

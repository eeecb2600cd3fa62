import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import HTTPSemantics
@testable import HTTPServer
@testable import PosterAPI

extension FuzzTarget {
    /// Heads of HTTP/1.1: the decoder reads a request that the fast path accepts in the same way.
    static let head = FuzzTarget(
        "head", words: headWords,
        seeds: [
            "GET /poster/x?w=92 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "HEAD /t/p/w92/a.jpg HTTP/1.1\r\nHost: a.example:80\r\nAccept: image/webp\r\nIf-None-Match: \"a\"\r\n\r\nGET /poster/y HTTP/1.1\r\n",
            "GET /_next/image?url=%2Fposter%2Fx&w=64 HTTP/1.1\r\nHost: 1.2.3.4\r\nConnection: keep-alive\r\nX-Request-Id: a\r\n\r\n",
            "GET /proxy?url=http%3A%2F%2Fa%2Fb HTTP/1.1\r\nhost:a\r\nForwarded: for=1.2.3.4\r\nX-Forwarded-For: 1.2.3.4\r\n"
                + "Sec-CH-DPR: 2\r\nSave-Data: on\r\nIf-Modified-Since: x\r\nIf-None-Match: W/\"b\"\r\nCookie: a=b\r\n\r\n",
        ]
    ) { bytes in
        for readsForwarded in [false, true] {
            guard let request = FastPathRequest(bytes.span, readsForwarded: readsForwarded) else { continue }
            compare(request, bytes)
        }
    }

    static let headWords = [
        "GET ", "HEAD ", "POST ", "CONNECT ", "OPTIONS * ", "/poster/x", "/t/p/w92/a.jpg", "/_next/image?", "/proxy?",
        " HTTP/1.1\r\n",
        " HTTP/1.0\r\n", " HTTP/2.0\r\n", "\r\n", "\r\n\r\n", "\n", "\r", "Host: a\r\n", "host:", "Accept: ",
        "If-None-Match: ", "\"a\"",
        "If-Modified-Since: ", "If-Match: ", "Range: bytes=0-9\r\n", "Content-Length: 5\r\n", "Content-Length: 0\r\n",
        "Transfer-Encoding: chunked\r\n", "0\r\n\r\n", "5\r\nabcde\r\n", "Connection: close\r\n",
        "Connection: keep-alive\r\n",
        "Connection: upgrade\r\n", "Upgrade: h2c\r\n", "Expect: 100-continue\r\n", "Forwarded: for=",
        "X-Forwarded-For: ",
        "X-Request-Id: ", "traceparent: ", "Sec-CH-DPR: 2\r\n", "Save-Data: on\r\n", "Proxy-Connection: x\r\n",
        "Trailer: x\r\n", "Cookie: ",
        "http://a/poster/x", "a\tb", ": ", " :", "\u{0}", "\u{B}", "\u{7F}", "é", "#", "_", ",",
    ]

    private static func compare(_ request: FastPathRequest, _ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        check(
            request.length <= bytes.count && request.length <= FastPathRequest.headLimit + 4096, "the head is too long")
        func part(_ range: Range<Int>?) -> String? { range.map { String(decoding: bytes[$0], as: UTF8.self) } }
        let parts = decoded(bytes[..<request.length])
        guard let parts, parts.count == 2, case .head(let head) = parts[0], case .end(nil) = parts[1] else {
            return check(false, "the decoder reads \(String(describing: parts)) in \(text)")
        }
        check(
            head.method == (request.isHead ? .HEAD : .GET) && head.uri == part(request.target),
            "another target: \(text)")
        check(head.version == .http1_1 && head.isKeepAlive, "another connection: \(text)")
        // The fast path reads bytes, and needs no limit of combining marks.
        let hasManyMarks = head.headers.contains { CombiningMarks.exceedLimit(in: $0.value) }
        check(hasManyMarks || MalformedRequests.HeadCheck.problem(head) == nil, "a malformed head: \(text)")
        for name in ["Range", "If-Range", "If-Match", "If-Unmodified-Since", "Upgrade", "Expect", "Trailer"] {
            check(!head.headers.contains(name: name), "\(name) is ignored: \(text)")
        }
        let hasDate = head.headers.contains(name: "If-Modified-Since")
        check(!hasDate || head.headers.contains(name: "If-None-Match"), "a date is ignored: \(text)")
        let fields = [
            ("Accept", request.accept), ("If-None-Match", request.condition), ("X-Request-Id", request.requestID),
            ("traceparent", request.traceparent),
        ]
        for (name, range) in fields {
            let values = head.headers[name].map { $0.trimmingSuffix(" ") }
            check(values == (part(range).map { [$0] } ?? []), "\(name) is \(values): \(text)")
        }
    }

    /// The parts that the decoder reads; `nil` if it rejects the bytes.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [HTTPServerRequestPart]? {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }  // throws after an incomplete request
        do {
            let decoder = HTTPRequestDecoder(limitConfiguration: HeadLimits.decoder)
            try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))
            try channel.writeInbound(ByteBuffer(bytes: bytes))
            var parts: [HTTPServerRequestPart] = []
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) { parts.append(part) }
            return parts
        } catch {
            return nil
        }
    }
}

extension String {
    /// The text without its last characters that equal `character`.
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        String(self.reversed().drop { $0 == character }.reversed())
    }
}

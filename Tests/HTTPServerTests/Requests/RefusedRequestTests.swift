import NIOCore
import NIOEmbedded
import PosterTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer

@Suite(.timeLimit(.hang))
struct RefusedRequestTests {
    private static let long = String(repeating: "a", count: MalformedRequests.targetLimit)

    @Test(
        "what cannot be read is refused in words, and the connection ends",
        arguments: [
            ("GET / HTTP/1.1\r\n\r\n", 400, "Host field is missing"),
            ("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", 400, "2 Host fields"),
            ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400, "not a valid host and port"),
            ("NONSENSE / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "method"),
            ("GET / HTTP/1.1\r\nHost: a\r\nX\u{1}: b\r\n\r\n", 400, "field"),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400, "Content-Length"),
            ("GET /\(Self.long) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "8193 bytes"),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: Self.long, count: 9))\r\n\r\n", 431, "32768 bytes"),
            ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: a\r\n", count: 200))\r\n", 431, "100 header fields"),
            ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "HTTP/1.1"),
            ("GET / HTTP/1.1\nHost: a\n\n", 400, "in LF only"), ("GET / HTTP/1.0\n\n", 400, "in LF only"),
            ("GET /x#y HTTP/1.1\r\nHost: a\r\n\r\n", 400, "fragment"),
            ("GET http://a/#y HTTP/1.1\r\nHost: a\r\n\r\n", 400, "fragment"),
            ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 405, "not a proxy"),
            ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", 405, "not a proxy"),
        ])
    func refused(request: String, status: Int, words: String) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(raw: request)
            let answer = try await client.answer()
            #expect(answer.status == status)
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.headers["connection"] == "close")
            #expect(answer.text.contains(words), "\(answer.text)")
            // The same fields as other problems.
            #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'; ") == true)
            #expect(
                answer.headers["x-content-type-options"] == "nosniff" && answer.headers["x-frame-options"] == "DENY")
            #expect(
                answer.headers["access-control-allow-origin"] == "*" && answer.headers["cache-control"] == "no-store")
            let id = try #require(answer.headers["x-request-id"])
            #expect(answer.text.contains("\"\(id)\""))
            try await client.closedByServer()
        }
    }

    @Test(
        "a Transfer-Encoding that is not chunked alone is rejected, and nothing after it is read as a request",
        arguments: [
            "Transfer-Encoding:", "Transfer-Encoding:  ", "Transfer-Encoding: x", "Transfer-Encoding: identity",
            "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: chunked;a=b", "Transfer-Encoding: x, chunked",
            "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding: ,chunked",
            "Transfer-Encoding: chunked,", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding:\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 3", "Content-Length: 3\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding:\r\nContent-Length: 36", "Content-Length: 36\r\nTransfer-Encoding: ",
            "Content-Length: 0\r\nTransfer-Encoding: identity",
        ], ["1.1", "1.0"])
    func transferEncoding(fields: String, version: String) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(
                raw: "GET / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n\r\n"
                    + "GET / HTTP/1.1\r\nHost: smuggled\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 400 && answer.headers["connection"] == "close")
            try await client.closedByServer()
        }
    }

    @Test("HTTP/1.0 has no chunks, and HTTP/1.1 has them in any case", arguments: [("1.1", 200), ("1.0", 400)])
    func chunked(version: String, status: Int) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(
                raw: "POST /body HTTP/\(version)\r\nHost: a\r\nTransfer-Encoding: CHUNKED \r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            )
            let answer = try await client.answer()
            #expect(answer.status == status)
            #expect(status != 200 || answer.text == "abc")
        }
    }

    @Test(
        "Host is a host and a port",
        arguments: [
            ("a", true), ("", true), ("a.test:80", true), ("a:", true), ("127.0.0.1:8080", true), ("[::1]", true),
            ("[::1]:8080", true), ("x_y-z.test", true), ("a%20b", true), ("a:65535", true), ("a:x", false),
            ("a:65536", false), ("a:1:2", false), ("a:-1", false), ("[::1", false), ("::1", false), ("[a]", false),
            ("[::1]x", false), ("[::1]:x", false), ("a]", false), ("u@a", false), ("a%2", false), ("a b", false),
            ("a/b", false),
        ])
    func host(text: String, isValid: Bool) async throws {
        #expect(HostField.isValid(text) == isValid)
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(raw: "GET / HTTP/1.1\r\nHost: \(text)\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == (isValid ? 200 : 400))
        }
    }

    @Test(
        "a HEAD request gets no body, and its own request id",
        arguments: [
            "HEAD / HTTP/1.1\r\nHost: a\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n",
            "HEAD / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n",
        ])
    func refusedHead(request: String) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(raw: request)
            let answer = try await client.answer(hasBody: false)
            #expect(answer.status == 400 && answer.headers["x-request-id"] == "mine")
            #expect(answer.headers["content-length"].flatMap { Int($0) } ?? 0 > 0)
            try await client.closedByServer()
        }
    }

    /// However the bytes are split into reads.
    @Test func aLineEndIsWholeThoughItsPartsComeApart() async throws {
        for (bytes, bare) in [("GET / HTTP/9.9\r", "\n"), ("\r", "\n"), ("", "\r\n"), ("\n", "x")] {
            let check = MalformedRequests.LineCheck()
            let recorder = Recorder(check)
            let channel = EmbeddedChannel()
            try channel.pipeline.syncOperations.addHandlers([check, recorder])
            for part in [bytes, bare] where !part.isEmpty { try channel.writeInbound(ByteBuffer(string: part)) }
            #expect(recorder.hasFound == (bytes == "\n"))
            _ = try channel.finish()
        }
    }

    private final class Recorder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let check: MalformedRequests.LineCheck
        private(set) var hasFound = false

        init(_ check: MalformedRequests.LineCheck) {
            self.check = check
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.hasFound = self.hasFound || self.check.hasBareLineEnd
        }
    }

    @Test func requestsBeforeItAreAnsweredFirst() async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try client.send(raw: request + request + "GET / HTTP/1.1\r\n\r\n" + request)
            for status in [200, 200, 400] {
                let answer = try await client.answer()
                #expect(answer.status == status)
            }
            try await client.closedByServer()
        }
    }

    @Test func aBodyThatGoesWrongAfterTheAnswerMakesNoSecondOne() async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(raw: "POST /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 404)
            try client.send(raw: "x\r\n")
            try await client.closedByServer()
        }
    }

    @Test func anOldClientNeedsNoHost() async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(raw: "GET / HTTP/1.0\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.text == "here")
            try await client.closedByServer()
        }
    }

    @Test(
        "a client that half-closes after the request gets all of the response",
        arguments: ["/", "/cached", "/variant", "/original"])
    func halfClosed(path: String) async throws {
        try await HTTPServerFixture.run { server in
            let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            try client.send("GET", path, headers: ["Connection": "close"])
            client.closeSending()
            let answer = try await client.answer()
            #expect(answer.status == 200)
            #expect(path == "/" || answer.body.count == HTTPServerFixture.largeLength)
            try await client.closedByServer()
        }
    }
}

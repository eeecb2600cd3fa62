import NIOCore
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

struct FastPathRequestTests {
    private func parse(_ text: String) -> FastPathRequest? {
        let bytes = ByteBuffer(string: text)
        return FastPathRequest(bytes.readableBytesUInt8Span)
    }

    private func text(_ range: Range<Int>?, of text: String) -> String? {
        range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }

    @Test func findsTheTargetAndTheFieldsThatDecide() throws {
        let request = """
            GET /poster/x?w=92 HTTP/1.1\r\nHost: localhost:8080\r\naccept:  image/webp,*/*;q=0.8 \r\n\
            User-Agent: a "b" (c; d)\r\nConnection: Keep-Alive\r\nIf-None-Match: "x", W/"y"\r\n\r\n
            """
        let found = try #require(self.parse(request + "GET / HTTP/1.1\r\n"))
        #expect(!found.isHead)
        #expect(self.text(found.target, of: request) == "/poster/x?w=92")
        #expect(self.text(found.accept, of: request) == "image/webp,*/*;q=0.8")
        #expect(self.text(found.condition, of: request) == "\"x\", W/\"y\"")
        #expect(found.length == request.utf8.count)
    }

    @Test func whatTakesLongToReadIsLeftToOthers() {
        let start = "GET /poster/x HTTP/1.1\r\nHost: h\r\n"
        let most = String(repeating: "a: b\r\n", count: FastPathRequest.fieldLimit - 1)
        #expect(self.parse(start + most + "\r\n") != nil)
        #expect(self.parse(start + most + "a: b\r\n\r\n") == nil)
        let tags = String(repeating: "a,", count: FastPathRequest.conditionLimit / 2)
        #expect(self.parse(start + "If-None-Match: \(tags)\r\n\r\n") != nil)
        #expect(self.parse(start + "If-None-Match: \(tags),\r\n\r\n") == nil)
        let long = String(repeating: "x", count: FastPathRequest.headLimit)
        #expect(self.parse(start + "Cookie: \(long)\r\nB: x\r\n\r\n") == nil)
    }

    @Test func aDateBesideATagMeansNothing() {
        let start = "GET /poster/x HTTP/1.1\r\nHost: h\r\n"
        for fields in ["If-None-Match: a\r\nIf-Modified-Since: x", "If-Modified-Since: x\r\nIf-None-Match: a"] {
            #expect(self.parse(start + fields + "\r\n\r\n") != nil)
        }
    }

    @Test(arguments: ["a", "a:", "a.b:80", "127.0.0.1:43210", "localhost:65535"])
    func takesHosts(host: String) {
        #expect(self.parse("GET /poster/x HTTP/1.1\r\nHost: \(host)\r\n\r\n") != nil)
    }

    @Test func aRequestWithNothingButItsHostIsOne() throws {
        let found = try #require(self.parse("HEAD /poster/x HTTP/1.1\r\nhost:h\r\n\r\n"))
        #expect(found.isHead)
        #expect(found.accept == nil && found.condition == nil)
    }

    @Test func whatHasNotArrivedWholeIsNone() {
        let request = "GET /poster/x?w=92 HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n"
        for count in 0..<request.utf8.count {
            let part = String(decoding: request.utf8.prefix(count), as: UTF8.self)
            #expect(self.parse(part) == nil, "\(count) bytes")
        }
    }

    @Test(
        "leaves to others",
        arguments: [
            "POST /poster/x HTTP/1.1\r\n\r\n", "get /poster/x HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            "GET http://h/poster/x HTTP/1.1\r\n\r\n", "GET /poster/x HTTP/1.0\r\n\r\n",
            "GET /poster/x HTTP/2.0\r\n\r\n",
            "GET /poster/x\r\n\r\n", "GET  /poster/x HTTP/1.1\r\n\r\n", "GET /poster/x  HTTP/1.1\r\n\r\n",
            "GET /poster/x HTTP/1.1\n\n", "\r\nGET /poster/x HTTP/1.1\r\n\r\n", "GET /poster/x#y HTTP/1.1\r\n\r\n",
            "GET /poster/\u{E9} HTTP/1.1\r\n\r\n", "GET /poster/\u{7F} HTTP/1.1\r\n\r\n",
            "GET /poster/\(String(repeating: "x", count: FastPathRequest.targetLimit)) HTTP/1.1\r\n\r\n",
        ])
    func leavesStartLines(request: String) {
        // `dropLast()` removes the empty line: "\r\n" is one `Character`.
        #expect(self.parse(request.dropLast() + "Host: h\r\n\r\n") == nil)
    }

    @Test(
        "leaves hosts to others",
        arguments: [
            "", "Host: a\r\nHost: a\r\n", "Host: a b\r\n", "Host: a,b\r\n", "X: h\r\n", "Host: a:65536\r\n",
            "Host: a:x\r\n",
        ])
    func leavesHosts(lines: String) {
        #expect(self.parse("GET /poster/x HTTP/1.1\r\n\(lines)\r\n") == nil)
    }

    @Test(
        "leaves fields to others",
        arguments: [
            "Connection: close", "Connection: keep-alive, Upgrade", "Connection:", "connection: x", "Content-Length: 0",
            "CONTENT-LENGTH: 5", "Transfer-Encoding: chunked", "Expect: 100-continue", "Upgrade: h2c",
            "Proxy-Connection: close", "Trailer: X", "Range: bytes=0-1", "if-range: \"x\"", "If-Match: \"x\"",
            "If-Unmodified-Since: x", "If-Modified-Since: x", "Accept: a\r\nAccept: b",
            "If-None-Match: a\r\nIf-None-Match: b", "X-Request-Id: a\r\nx-request-id: b",
            "traceparent: a\r\nTraceparent: b",
            "X : y", " X: y", "X", ": y", "X: a\r\n b", "X: \u{E9}", "X: \t", "X: a\rb", "X: a\nb", "X: \0", "X\0: y",
            "X(: y",
        ])
    func leavesFields(lines: String) {
        #expect(self.parse("GET /poster/x HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\r\n") == nil)
    }

    /// Dates of responses, in months of 29, 30 and 31 days.
    @Test(
        "formats the time as HTTP does",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        ])
    func tellsTheTime(second: Int, text: String) {
        #expect(HTTPDate.text(second) == text)
    }

    @Test func anEntryIsReplacedOnlyByOneInItsSlot() {
        var table = DirectMappedCache<Int>(slotCount: 8)
        var last: [Int: Int] = [:]
        for number in 0..<100 {
            let key = ByteBuffer(string: "key \(number)")
            let (value, slot) = table.find(key.readableBytesUInt8Span, 0..<key.readableBytes)
            #expect(value == nil && (0..<8).contains(slot))
            table.store(number, for: Array(key.readableBytesView), at: slot)
            last[slot] = number
        }
        for (slot, number) in last {
            let key = ByteBuffer(string: "key \(number)")
            let found = table.find(key.readableBytesUInt8Span, 0..<key.readableBytes)
            #expect(found.value == number && found.slot == slot)
        }
    }
}

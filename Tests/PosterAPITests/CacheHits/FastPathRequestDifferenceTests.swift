import CodecTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// Two parsers of one protocol must agree: the decoder must read each request accepted by `FastPathRequest`
/// identically.
struct FastPathRequestDifferenceTests {
    private static let lines = [
        "Host: localhost", "Accept: image/webp,*/*;q=0.8", "If-None-Match: \"a\", W/\"b\"", "Connection: keep-alive",
        "Connection: close", "Content-Length: 0", "Content-Length: 5", "Transfer-Encoding: chunked", "X-Some_Thing: 1",
        "Expect: 100-continue", "Upgrade: h2c", "User-Agent: a (b; c)", "Cookie: a=b", "accept:image/avif",
        "TE: trailers", "Range: bytes=0-9", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "If-Match: *",
        "If-Range: \"a\"", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
    ]
    private static let starts = [
        "GET /poster/x?w=92 HTTP/1.1", "HEAD /poster/films:a%2Fb HTTP/1.1", "GET /poster/x HTTP/1.0",
        "GET /poster/x HTTP/1.1",
        "GET /poster// HTTP/1.1", "GET /poster/x?a=b&c=\"d\" HTTP/1.1",
    ]
    /// Bytes that are inserted or substituted.
    private static let strange = Array("\r\n \t:,;\"\\#%/?_-\u{0}\u{B}\u{7F}\u{80}\u{E9}Gx0".utf8)

    private func request(_ random: inout SeededRandom) -> [UInt8] {
        var text = Self.starts.randomElement(using: &random)! + "\r\n"
        if Int.random(in: 0..<8, using: &random) > 0 { text += "Host: localhost\r\n" }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            text += Self.lines.randomElement(using: &random)! + "\r\n"
        }
        var bytes = Array((text + "\r\n").utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let byte = Self.strange.randomElement(using: &random)!
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            default: bytes.remove(at: place)
            }
        }
        return bytes
    }

    /// The parts that the decoder reads; `nil` if it rejects the bytes.
    private func decoded(_ bytes: ArraySlice<UInt8>) throws -> [HTTPServerRequestPart]? {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        do { try channel.writeInbound(ByteBuffer(bytes: bytes)) } catch { return nil }
        var parts: [HTTPServerRequestPart] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) { parts.append(part) }
        _ = try? channel.finish(acceptAlreadyClosed: true)  // throws after an incomplete request
        return parts
    }

    @Test func whatIsTakenTheDecoderReadsAlike() throws {
        var random = SeededRandom(seed: 7)
        var taken = 0
        for _ in 0..<30_000 {
            let bytes = self.request(&random)
            guard let hit = FastPathRequest(bytes.span) else { continue }
            taken += 1
            let text = String(decoding: bytes, as: UTF8.self)
            let parts = try self.decoded(bytes[..<hit.length])
            guard let parts, parts.count == 2, case .head(let head) = parts[0], case .end(nil) = parts[1] else {
                Issue.record("\(text.debugDescription) is \(String(describing: parts))")
                continue
            }
            func part(_ range: Range<Int>?) -> String? { range.map { String(decoding: bytes[$0], as: UTF8.self) } }
            #expect(head.method == (hit.isHead ? .HEAD : .GET) && head.uri == part(hit.target))
            for name in ["Range", "If-Range", "If-Match", "If-Unmodified-Since"] {
                #expect(!head.headers.contains(name: name), "\(text.debugDescription)")
            }
            #expect(
                !head.headers.contains(name: "If-Modified-Since") || head.headers.contains(name: "If-None-Match"),
                "\(text.debugDescription)")
            #expect(head.version == .http1_1 && head.isKeepAlive, "\(text.debugDescription)")
            #expect(MalformedRequests.HeadCheck.problem(head) == nil, "\(text.debugDescription)")
            for (name, range) in [("Accept", hit.accept), ("If-None-Match", hit.condition)] {
                // The decoder keeps spaces after a value; readers of the value ignore them.
                let values = head.headers[name].map { value in
                    String(value.reversed().drop { $0 == " " }.reversed())
                }
                #expect(values == (part(range).map { [$0] } ?? []), "\(text.debugDescription)")
            }
        }
        #expect(taken > 2000)
    }
}

import CodecTesting
import NIOCore
import NIOEmbedded
import NIOHTTP1
import PosterTesting
import Testing

@testable import HTTPServer

/// A server that does not switch protocols continues with HTTP/1.1 (RFC 9110, 7.8).
@Suite(.timeLimit(.hang))
struct RequestDecoderTests {
    private static let offers = [
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
        "Connection: upgrade\r\nUpgrade: websocket", "Connection: UPGRADE \r\nUpgrade: websocket",
        "Connection: keep-alive, upgrade\r\nUpgrade: x/1",
        "Connection: keep-alive\r\nConnection: upgrade\r\nUpgrade: x",
        "Upgrade: h2c", "Connection: upgrade\r\nUpgrade:", "Connection: upgrade", "Connection: upgrade\t\r\nUpgrade: x",
        "Connection: upgrade x\r\nUpgrade: x", "Connection: ,upgrade\r\nUpgrade: x",
        "Upgrade: a\r\nConnection: upgrade\r\nUpgrade: b",
    ]

    @Test("the connection goes on after an offer of another protocol", arguments: offers)
    func upgrade(fields: String) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            let offer = "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
            let next = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            // Pipelined, one after the other, and an offer after an offer.
            try client.send(raw: offer + next + offer + offer)
            for _ in 0..<4 { #expect(try await client.answer().text == "here") }
            try client.send(raw: offer)
            #expect(try await client.answer().text == "here")
            #expect(try await client.get("/").text == "here")
        }
    }

    @Test("an offer may have a body, and what follows it is a request", arguments: offers)
    func body(fields: String) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            let offers = [
                "Content-Length: 5\r\n\r\nabcde", "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
            ].map {
                "POST /body HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\($0)"
            }
            try client.send(raw: offers.joined() + "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            for text in ["abcde", "abcde", "here"] { #expect(try await client.answer().text == text) }
        }
    }

    /// Decodes the same requests regardless of how the bytes are split.
    @Test func piecesMakeNoDifference() throws {
        var random = SeededRandom(seed: 15)
        for _ in 0..<2000 {
            var (bytes, uris): ([UInt8], [String]) = ([], [])
            for number in 0..<Int.random(in: 1...5, using: &random) {
                let uri = "/\(number)"
                uris.append(uri)
                let fields = Bool.random(using: &random) ? Self.offers.randomElement(using: &random)! + "\r\n" : ""
                let end = Bool.random(using: &random) ? "\r\n" : "Content-Length: 3\r\n\r\nGET"
                bytes += Array("POST \(uri) HTTP/1.1\r\nHost: a\r\n\(fields)\(end)".utf8)
            }
            let channel = EmbeddedChannel()
            try channel.pipeline.syncOperations.addHandlers(RequestDecoder.handlers())
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &random)
                try channel.writeInbound(ByteBuffer(bytes: rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            var (heads, ends): ([String], Int) = ([], 0)
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                switch part {
                case .head(let head): heads.append(head.uri)
                case .body(let body): #expect("GET".utf8.starts(with: body.readableBytesView) || body.readableBytes < 3)
                case .end: ends += 1
                }
            }
            #expect(heads == uris && ends == uris.count, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            _ = try channel.finish()
        }
    }

    @Test func aTruncatedRequestAfterAnOfferIsAnError() throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandlers(RequestDecoder.handlers())
        try channel.writeInbound(
            ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nGET / HT"))
        #expect(throws: HTTPParserError.invalidEOFState) { try channel.finish() }
    }
}

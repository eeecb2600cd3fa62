import CodecTesting
import HTTPTypes
import InternetAddress
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// The fast path and the slow path find the same client.
struct ClientPathDifferenceTests {
    private static let pieces = [
        "192.0.2.1", "10.0.0.1", "::ffff:10.0.0.2", "[2001:db8::1]:80", "2001:db8::1", "for=", "for=\"", "\"", ",",
        ", ",
        ";", "by=", "unknown", "_x", " ", "\\", "=", ":80", "fe80::1%eth0",
    ]

    private func value(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 0...8, using: &random)).map { _ in Self.pieces.randomElement(using: &random)! }.joined()
    }

    /// The header fields as read by the decoder.
    private func fields(_ request: String) throws -> HTTPFields {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try channel.writeInbound(ByteBuffer(string: request))
        guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else { return [:] }
        var fields = HTTPFields()
        for (name, value) in head.headers {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
        return fields
    }

    @Test func bothWaysFindTheSameClient() throws {
        let proxies = TrustedProxies(networks: [try #require(IPNetwork("10.0.0.0/8"))])
        let peer = ClientAddress.host(try #require(IPAddress("10.9.9.9")))
        var random = SeededRandom(seed: 11)
        var found: Set<ClientAddress> = []
        for _ in 0..<5000 {
            var lines = ""
            if Bool.random(using: &random) { lines += "X-Forwarded-For: \(self.value(&random))\r\n" }
            if Bool.random(using: &random) { lines += "Forwarded:\(self.value(&random))\r\n" }
            let request = CacheHitFixture.request(fields: lines)
            let bytes = Array(request.utf8)
            let read = FastPathRequest(bytes.span, readsForwarded: true)
            let hit = try #require(read)
            let client = proxies.client(
                behind: peer, in: bytes.span, forwarded: hit.forwarded, xForwardedFor: hit.xForwardedFor)
            let ordinary = proxies.client(behind: peer, try self.fields(request))
            #expect(client == ordinary, "\(lines.debugDescription)")
            found.insert(client)
        }
        #expect(found.count > 3)
    }
}

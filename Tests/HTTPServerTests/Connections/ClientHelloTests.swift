import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServer

/// Parsing of the ClientHello, without TLS.
struct ClientHelloTests {
    /// A ClientHello (RFC 8446, 4.1.2) in records of at most `recordLength` bytes.
    ///
    /// - Parameter protocols: `nil` omits the ALPN extension.
    private static func hello(_ protocols: [String]?, recordLength: Int = 1 << 14, type: UInt8 = 1) -> [UInt8] {
        func sized(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
            (0..<length).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
        }
        // A server name, which the parser skips.
        var extensions: [UInt8] = [0, 0] + sized(Array("name".utf8), 2)
        if let protocols {
            extensions += [0, 16] + sized(sized(protocols.flatMap { sized(Array($0.utf8), 1) }, 2), 2)
        }
        let random = [UInt8](repeating: 7, count: 32)
        let suites = sized([0x13, 1, 0xC0, 0x2F], 2)
        let parts = [[3, 3], random, sized(random, 1), suites, sized([0], 1), sized(extensions, 2)]
        let body = parts.flatMap(\.self)
        let message = [type] + sized(body, 3)
        return stride(from: 0, to: message.count, by: recordLength).flatMap { start in
            let part = message[start..<min(start + recordLength, message.count)]
            return [22, 3, 1] + sized(Array(part), 2)
        }
    }

    @Test("the protocols are found, in one record or in several", arguments: [1 << 14, 50, 3])
    func findsProtocols(recordLength: Int) {
        for protocols in [["h2", "http/1.1"], ["spdy/3"], [], nil] {
            let bytes = Self.hello(protocols, recordLength: recordLength)
            #expect(ClientHello.protocols(in: ByteBuffer(bytes: bytes)) == .protocols(protocols))
            #expect(ClientHello.protocols(in: ByteBuffer(bytes: bytes + [1, 2, 3])) == .protocols(protocols))
            for count in [0, 1, 4, 6, 20, bytes.count - 1] {
                #expect(ClientHello.protocols(in: ByteBuffer(bytes: bytes.prefix(count))) == .incomplete)
            }
        }
    }

    @Test func otherBytesAreLeftToTLS() {
        for bytes in [
            Array("GET / HTTP/1.1".utf8), Self.hello(["spdy/3"], type: 2), [22, 3, 1, 0, 4, 1, 0, 0, 0],
            [22, 3, 1, 0, 6, 1, 0, 0, 2, 3, 3],
        ] {
            #expect(ClientHello.protocols(in: ByteBuffer(bytes: bytes)) == .protocols(nil))
        }
        // Longer than any ClientHello.
        let endless = Array([22, 3, 1, 0x40, 0, 1, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 20_000))
        #expect(ClientHello.protocols(in: ByteBuffer(bytes: endless)) == .protocols(nil))
    }

    @Test func aHelloIsPassedOnWhole() throws {
        let channel = EmbeddedChannel(handler: ClientHello.ProtocolCheck(["h2", "http/1.1"]))
        let hello = Self.hello(["spdy/3", "http/1.1"])
        try channel.writeInbound(ByteBuffer(bytes: hello.prefix(30)))
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
        try channel.writeInbound(ByteBuffer(bytes: hello.dropFirst(30) + [9]))
        #expect(try channel.readInbound() == ByteBuffer(bytes: hello + [9]))
        try channel.writeInbound(ByteBuffer(bytes: [1]))
        #expect(try channel.readInbound() == ByteBuffer(bytes: [1]))
        _ = try channel.finish()
    }

    @Test func unknownProtocolsGetTheAlertForThem() throws {
        let channel = EmbeddedChannel(handler: ClientHello.ProtocolCheck(["h2", "http/1.1"]))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/client")).wait()
        try channel.writeInbound(ByteBuffer(bytes: Self.hello(["spdy/3", "h3"])))
        #expect(try channel.readOutbound() == ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, 120]))
        #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
        #expect(!channel.isActive)
    }
}

import HTTPServer
import HTTPTesting
import NIOCore
import NIOPosix
import NIOSSL
import PosterTesting
import ServiceTesting
import Testing

@Suite(.timeLimit(.hang))
struct CacheHitSocketTests {
    private static let targets = ["/poster/nosferatu-1922?w=500", "/poster/nosferatu-1922?w=92"]
    private let folder = TemporaryFolder()

    @Test func aClientThatReadsLateGetsEveryResponseWholeAndInTurn() async throws {
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, LiveServer.Settings()) { server in
                let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
                var bodies: [[UInt8]] = []
                for target in Self.targets { bodies.append(try await client.get(target).body) }
                // More than the kernel buffers: eventually the server waits for the client.
                let count = (8 << 20) / bodies.map(\.count).reduce(0, +) * bodies.count
                for number in 0..<count { try client.send("GET", Self.targets[number % 2]) }
                for number in 0..<count {
                    let answer = try await client.answer()
                    #expect(answer.status == 200 && answer.body == bodies[number % 2], "\(number)")
                }
                let ways = Set(server.requests.dropFirst(bodies.count).map(\.way))
                #expect(ways == [.eventLoop, .route], "sent directly, and left to the slow path when it could not be")
            }
        }
    }

    @Test(
        "a hit over TLS is encrypted as any other response",
        .enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func tls() async throws {
        let certificate = try TestCertificate(in: self.folder.path)
        var settings = LiveServer.Settings()
        settings.tls = try TLSCredentials(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
        try await withOrigin { [settings] origin in
            try await LiveServer.run(origin: origin, settings) { server in
                let connection = try await self.connect(server.port)
                try await connection.executeThenClose { inbound, outbound in
                    var bytes = inbound.makeAsyncIterator()
                    var bodies: [[UInt8]] = []
                    for _ in 0..<3 {
                        try await outbound.write(
                            ByteBuffer(string: "GET \(Self.targets[0]) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                        bodies.append(try await self.body(&bytes))
                    }
                    #expect(bodies[0].count > 10_000 && bodies[1] == bodies[0] && bodies[2] == bodies[0])
                }
                #expect(server.requests.map(\.way) == [.route, .eventLoop, .eventLoop])
            }
        }
    }

    /// Reads a response and returns its body.
    private func body(_ bytes: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) async throws -> [UInt8] {
        var received: [UInt8] = []
        while let piece = try await bytes.next() {
            received += piece.readableBytesView
            guard let end = received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
            let field = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
                .first { $0.hasPrefix("Content-Length: ") }
            let length = try #require(field.flatMap { Int($0.dropFirst("Content-Length: ".count)) })
            if received.count == end + length { return Array(received[end...]) }
        }
        throw HTTPConnection.Failure(description: "closed by the server")
    }

    private func connect(_ port: Int) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let context = try HTTP2Client.trusting(protocols: ["http/1.1"])
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                    return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
                }
            }
    }
}

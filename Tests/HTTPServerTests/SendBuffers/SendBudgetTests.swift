import HTTPTesting
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import PosterTesting
import Testing

@testable import HTTPServer

/// Clients that do not read, over real sockets.
@Suite(.timeLimit(.hang))
struct SendBudgetTests {
    private let folder = TemporaryFolder()
    /// Deadlines that no test reaches.
    private static let patient = ConnectionDeadlines.Limits(
        head: .hours(1), body: .hours(1), send: .hours(1))
    /// Maximum bytes of a TLS connection beyond the shared bodies: encrypted data and its own overhead.
    private static let ownOverTLS = (64 << 10) + (128 << 10) + (32 << 10) + SendBudget.overhead

    private func credentials() throws -> TLSCredentials {
        let certificate = try TestCertificate(in: self.folder.path)
        return try TLSCredentials(certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
    }

    /// Returns once the large body is held, not only the head of its response.
    private static func untilBodyIsHeld(_ server: HTTPServerFixture) async throws {
        try await eventually { server.sendBudget.heldByteCount >= HTTPServerFixture.largeLength }
    }

    /// Returns once `count` clients hold the shared body, and at most `ownLimit` bytes each in addition.
    private static func untilHeld(_ server: HTTPServerFixture, by count: Int, ownLimit: Int) async throws {
        try await eventually {
            let own = server.sendBudget.heldByteCount - HTTPServerFixture.shared.storageCapacity
            return server.sendBudget.accountCount >= count && own > 0 && own <= count * ownLimit
        }
    }

    @Test("many readers of one body cost as much as one, and their memory is released when they leave")
    func shared() async throws {
        try await HTTPServerFixture.run(Self.patient) { server in
            let clients = try (0..<40).map { _ in
                let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
                try client.send("GET", "/shared")
                return client
            }
            try await Self.untilHeld(server, by: clients.count, ownLimit: SendBudget.overhead + (16 << 10))
            for client in clients { client.close() }
            try await eventually { server.sendBudget.heldByteCount == 0 }
        }
    }

    @Test("above the budget the slowest ends, and the other goes on to its end")
    func slowest() async throws {
        try await HTTPServerFixture.run(Self.patient, sendBudget: HTTPServerFixture.largeLength + (8 << 20)) { server in
            let slow = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            try slow.send("GET", "/cached")
            try await Self.untilBodyIsHeld(server)
            let other = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            try other.send("GET", "/cached")
            await server.ended.wait()
            await #expect(throws: HTTPConnection.Failure.self) { try await slow.answer() }
            let answer = try await other.answer()
            #expect(answer.body.count == HTTPServerFixture.largeLength)
            try await eventually { server.sendBudget.heldByteCount == 0 }
        }
    }

    @Test("a response that is larger than the budget is sent when it is alone")
    func alone() async throws {
        try await HTTPServerFixture.run(Self.patient, sendBudget: 1 << 20) { server in
            let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            try client.send("GET", "/cached")
            try await Self.untilBodyIsHeld(server)
            let answer = try await client.answer()
            #expect(answer.body.count == HTTPServerFixture.largeLength)
        }
    }

    @Test("a body that is queued after another one of its connection is accounted for, too")
    func pipelined() async throws {
        try await HTTPServerFixture.run(Self.patient) { server in
            let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            let request = "GET /cached HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try client.send(raw: request + request)
            try await eventually { server.sendBudget.heldByteCount >= 2 * HTTPServerFixture.largeLength }
            for _ in 0..<2 {
                let answer = try await client.answer()
                #expect(answer.body.count == HTTPServerFixture.largeLength)
            }
            try await eventually { server.sendBudget.heldByteCount == 0 }
        }
    }

    // MARK: TLS

    /// Connects, and sends a request.
    ///
    /// - Parameters:
    ///   - collector: Takes the response.
    ///   - reads: Whether the response is read; otherwise reading ends with the handshake.
    static func connect(
        _ port: Int, _ collector: Collector? = nil, target: String = "/shared", reads: Bool = false
    ) async throws -> any Channel {
        let context = try HTTP2Client.trusting(protocols: ["http/1.1"])
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                    if !reads { try channel.pipeline.syncOperations.addHandler(ReadingStop()) }
                    if let collector { try channel.pipeline.syncOperations.addHandler(collector) }
                }
            }.connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        return channel
    }

    /// Ends reading after the handshake, before any byte of a response can arrive.
    private final class ReadingStop: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case TLSUserEvent.handshakeCompleted = event else { return }
            do { try context.channel.syncOptions?.setOption(.autoRead, value: false) } catch { Issue.record(error) }
        }
    }

    @Test(
        "over TLS a slow reader keeps a piece of its own, not a copy of the body",
        .enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func encrypted() async throws {
        try await HTTPServerFixture.run(Self.patient, credentials: self.credentials()) { server in
            var clients: [any Channel] = []
            for _ in 0..<20 { clients.append(try await Self.connect(server.port)) }
            try await Self.untilHeld(server, by: clients.count, ownLimit: Self.ownOverTLS)
            // Each one waits for the server's TLS closure, which it does not read, until NIO gives up.
            for client in clients { client.close(promise: nil) }
            try await eventually { server.sendBudget.heldByteCount == 0 }
        }
    }

    @Test(
        "a long body arrives over TLS as it is, though it goes in pieces",
        .enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func whole() async throws {
        try await HTTPServerFixture.run(Self.patient, credentials: self.credentials()) { server in
            let (bytes, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
            let client = try await Self.connect(server.port, Collector(continuation), reads: true)
            var answer = ByteBuffer()
            for await part in bytes {
                answer.writeImmutableBuffer(part)
                // The complete response; a head has a few hundred bytes.
                if answer.readableBytes >= HTTPServerFixture.largeLength + 16, Self.hasWhole(answer) { break }
            }
            answer.moveReaderIndex(forwardBy: answer.readableBytes - HTTPServerFixture.largeLength)
            #expect(answer == HTTPServerFixture.shared)
            try? await client.close()
        }
    }

    static func hasWhole(_ answer: ByteBuffer) -> Bool {
        let ending = Array("\r\n\r\n".utf8)
        guard let head = answer.readableBytesView.prefix(4096).firstRange(of: ending) else { return false }
        let length = answer.readableBytesView.distance(
            from: head.upperBound, to: answer.readableBytesView.endIndex)
        return length >= HTTPServerFixture.largeLength
    }

    final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let continuation: AsyncStream<ByteBuffer>.Continuation

        init(_ continuation: AsyncStream<ByteBuffer>.Continuation) {
            self.continuation = continuation
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.continuation.yield(self.unwrapInboundIn(data))
        }

        func channelInactive(context: ChannelHandlerContext) {
            self.continuation.finish()
        }
    }

    @Test(
        "streams with closed windows keep what they share once, and above the budget they are reset",
        .enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func streams() async throws {
        let budget = HTTPServerFixture.largeLength + (8 << 20)
        try await HTTPServerFixture.run(Self.patient, credentials: self.credentials(), sendBudget: budget) { server in
            let client = try await HTTP2Client(port: server.port, window: 0)
            var stalled: [HTTP2Client.Exchange] = []
            for _ in 0..<50 { stalled.append(try await client.ask("/shared")) }
            let held = HTTPServerFixture.shared.storageCapacity + stalled.count * SendBudget.overhead
            try await eventually { server.sendBudget.heldByteCount == held }
            // A response with its own memory exceeds the budget: it is ended, and the sharing ones are not.
            let other = try await client.ask("/cached")
            await server.ended.wait()
            #expect(server.sendBudget.accountCount == stalled.count)
            await #expect(throws: (any Error).self) { try await client.answer(of: other) }
            try await client.channel.close()
            try await eventually { server.sendBudget.heldByteCount == 0 }
        }
    }
}

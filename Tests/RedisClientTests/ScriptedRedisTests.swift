import NIOCore
import NIOPosix
import PosterTesting
import RedisClient
import Testing

/// Servers that violate the protocol.
@Suite(.timeLimit(.hang)) struct ScriptedRedisTests {
    struct Reply: CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
    }

    @Test(arguments: [
        Reply(testDescription: "an unknown type", bytes: "!what\r\n"),
        Reply(testDescription: "a large string", bytes: "$20000000\r\n" + String(repeating: "x", count: 200_000)),
        Reply(testDescription: "a large array", bytes: "*1000000\r\n"),
        Reply(testDescription: "deep arrays", bytes: String(repeating: "*1\r\n", count: 40)),
        Reply(testDescription: "a long line", bytes: "+" + String(repeating: "x", count: 200_000)),
        Reply(
            testDescription: "many strings",
            bytes: "*99\r\n" + String(repeating: "$2000\r\n" + String(repeating: "x", count: 2000) + "\r\n", count: 99)),
        Reply(testDescription: "a wrong length", bytes: "$abc\r\n"),
    ])
    func whatIsNoReplyEndsTheConnection(_ reply: Reply) async throws {
        let server = try await ScriptedRedis(afterGreeting: reply.bytes)
        var configuration = RedisConfiguration(address: try RedisAddress("redis://127.0.0.1:\(server.port)"))
        configuration.replies.byteCount = 100_000
        configuration.replies.elementCount = 100
        configuration.watchInterval = .seconds(3600)
        let client = RedisClient(
            configuration, logger: LogRecorder().logger(), sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
        let running = Task { try await client.run() }
        defer { running.cancel() }
        try await eventually { client.isConnected }
        let error = await #expect(throws: RedisFailure.self) { try await client.send(RedisCommand("GET", "a")) }
        #expect(error?.label == "unintelligible")
        try await eventually { !client.isConnected }
        try await server.close()
    }

    @Test func aReplyInPiecesIsRead() async throws {
        let server = try await ScriptedRedis(afterGreeting: "*2\r\n$5\r\nhello\r\n:12\r\n", pieceLength: 1)
        let client = RedisClient(
            RedisConfiguration(address: try RedisAddress("redis://127.0.0.1:\(server.port)")),
            logger: LogRecorder().logger())
        let running = Task { try await client.run() }
        defer { running.cancel() }
        try await eventually { client.isConnected }
        let reply = try await client.send(RedisCommand("GET", "a"))
        #expect(reply == .array([.bytes(Array("hello".utf8)), .integer(12)]))
        try await server.close()
    }
}

/// A server that answers the commands at the start of a connection, and `GET` with a given reply.
private final class ScriptedRedis: Sendable {
    private let channel: any Channel

    var port: Int { self.channel.localAddress?.port ?? 0 }

    /// - Parameter pieceLength: Maximum length of a write in bytes.
    init(afterGreeting reply: String, pieceLength: Int = .max) async throws {
        self.channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(reply: reply, pieceLength: pieceLength))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func close() async throws {
        try await self.channel.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let reply: String
        private let pieceLength: Int
        private var received = ""

        init(reply: String, pieceLength: Int) {
            self.reply = reply
            self.pieceLength = pieceLength
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.received += String(buffer: self.unwrapInboundIn(data))
            // Handles complete lines of commands.
            while let end = self.received.firstIndex(of: "\r\n") {
                let line = self.received[..<end]
                if line == "GET" { self.send(self.reply, context) }
                if ["CLIENT", "ROLE", "PING"].contains(line) { self.send("+OK\r\n", context) }
                self.received.removeSubrange(...end)
            }
        }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            var rest = Substring(text).utf8
            while !rest.isEmpty {
                let piece = rest.prefix(self.pieceLength)
                context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(bytes: piece)), promise: nil)
                rest = rest.dropFirst(piece.count)
            }
        }
    }
}

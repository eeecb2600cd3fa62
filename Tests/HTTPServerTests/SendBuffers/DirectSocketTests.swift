import NIOCore
import NIOEmbedded
import NIOPosix
import PosterTesting
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.hang))
struct DirectSocketTests {
    private static let body = HTTPServerFixture.shared
    private static let response = DirectSocket.Parts(
        head: ByteBuffer(string: "HTTP/1.1 200 OK\r\n"),
        headEnd: ByteBuffer(string: "Content-Length: \(Self.body.readableBytes)\r\n\r\n"), body: Self.body)

    @Test("what is left of a response follows what was sent", arguments: 0...13)
    func rest(sent: Int) {
        var parts = DirectSocket.Parts(
            head: ByteBuffer(string: "head "), headEnd: ByteBuffer(string: "end "), body: ByteBuffer(string: "body"))
        parts.removeFirst(sent)
        let left = [parts.head, parts.headEnd, parts.body ?? ByteBuffer()].map { String(buffer: $0) }.joined()
        #expect(left == String("head end body".dropFirst(sent)))
    }

    @Test func aChannelWithoutASocketHasNone() {
        #expect(DirectSocket(EmbeddedChannel()) == nil)
    }

    @Test func whatTheKernelDoesNotTakeIsLeftToTheChannel() async throws {
        let (client, sent) = try await Self.accept { context in
            var socket = DirectSocket(context.channel)
            let sent = socket?.send(Self.response)
            var rest = Self.response
            rest.removeFirst(sent ?? 0)
            for part in [rest.head, rest.headEnd, rest.body ?? ByteBuffer()] {
                context.write(NIOAny(part), promise: nil)
            }
            context.flush()
            return sent
        }
        let count = try #require(sent)
        #expect(0 < count && count < Self.body.readableBytes)
        let answer = try await client.answer()
        #expect(ByteBuffer(bytes: answer.body) == Self.body)
    }

    @Test func longResponsesOfAConnectionAreSentWhole() async throws {
        let body = ByteBuffer(bytes: (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let end = ByteBuffer(string: "Content-Length: \(body.readableBytes)\r\n\r\n")
        let response = DirectSocket.Parts(head: Self.response.head, headEnd: end, body: body)
        let count = 4
        let (client, sent) = try await Self.accept { context in
            var socket = DirectSocket(context.channel)
            return (0..<count).reduce(0) { sum, _ in sum + (socket?.send(response) ?? 0) }
        }
        // They fit into the send buffer of a new local connection.
        #expect(sent == count * (response.head.readableBytes + end.readableBytes + body.readableBytes))
        for _ in 0..<count {
            let answer = try await client.answer()
            #expect(ByteBuffer(bytes: answer.body) == body)
        }
    }

    @Test func aSideThatIsClosedTakesNothing() async throws {
        let (client, sent) = try await Self.accept { context in
            context.close(mode: .output, promise: nil)
            var socket = DirectSocket(context.channel)
            return socket?.send(Self.response)
        }
        #expect(sent == 0)
        try await client.closedByServer()
    }

    /// Accepts a connection.
    ///
    /// - Parameters:
    ///   - path: Of a Unix socket; `nil` for a port.
    ///   - body: Called on the event loop once the connection is active.
    static func accept(
        at path: String? = nil, _ body: @escaping @Sendable (ChannelHandlerContext) -> Int?
    ) async throws -> (client: HTTPConnection, result: Int?) {
        let group = MultiThreadedEventLoopGroup.singleton
        let result = group.any().makePromise(of: Int?.self)
        let bootstrap = ServerBootstrap(group: group).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(WhenActive { result.succeed(body($0)) })
            }
        }
        let listener: any Channel
        let client: HTTPConnection
        if let path {
            listener = try await bootstrap.bind(unixDomainSocketPath: path).get()
            client = try HTTPConnection(unixSocket: path)
        } else {
            listener = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
            client = try HTTPConnection(port: try #require(listener.localAddress?.port))
        }
        let value = try await result.futureResult.get()
        try await listener.close()
        return (client, value)
    }

    private final class WhenActive: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let body: (ChannelHandlerContext) -> Void

        init(_ body: @escaping (ChannelHandlerContext) -> Void) {
            self.body = body
        }

        func channelActive(context: ChannelHandlerContext) {
            self.body(context)
        }
    }
}

import NIOCore
import NIOEmbedded
import NIOHTTP2
import Testing

@testable import HTTPServer

/// What arrives when the server has ended a connection, and the client has not.
struct HTTP2ConnectionLifetimeTests {
    private typealias Frame = HTTP2FrameClient.Frame

    /// As TLS, which waits for the client's half.
    private final class Unclosed: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private(set) var closeCount = 0

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            self.closeCount += 1
        }
    }

    private static let head = HTTP2FrameClient.head(1, HTTP2FrameClient.request(method: "POST"), isWhole: false)
    private static let ping = Frame(type: 6, stream: 0, payload: Array(repeating: 1, count: 8))
    /// A head that cannot be decoded.
    private static let broken = Frame(type: 1, flags: 5, stream: 3, payload: [0xFF])

    private let channel = EmbeddedChannel()
    private let unclosed = Unclosed()

    init() throws {
        var limits = HTTP2Limits()
        limits.controlFrames = 10
        limits.waitingFrames = 4
        let lifetime = HTTP2ConnectionLifetime(idleTimeout: .hours(1), limits: limits)
        let pipeline = self.channel.pipeline.syncOperations
        try pipeline.addHandler(self.unclosed)
        _ = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server, streamDelegate: lifetime, frameDelegate: lifetime, configuration: limits.configuration
        ) { stream in stream.eventLoop.makeSucceededVoidFuture() }
        try pipeline.addHandler(lifetime)
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/client")).wait()
        try self.channel.writeInbound(HTTP2FrameClient.preface)
        try self.receive(Frame(type: 4, stream: 0))
    }

    private func receive(_ frames: Frame...) throws {
        try self.channel.writeInbound(HTTP2FrameClient.bytes(of: frames))
    }

    /// The codes of all that were sent.
    private func farewells() throws -> [UInt8] {
        var sent = ByteBuffer()
        while case .byteBuffer(var part)? = try self.channel.readOutbound(as: IOData.self) { sent.writeBuffer(&part) }
        var codes: [UInt8] = []
        while let frame = Frame(next: &sent) {
            if frame.type == 7, let code = frame.code { codes.append(code) }
        }
        return codes
    }

    /// NIO's GOAWAY allows no stream then, and the next one all.
    @Test func anErrorBehindTooManyControlFramesIsNoMoreThanAnotherEnd() throws {
        try self.receive(Self.head)
        for _ in 0..<20 where self.unclosed.closeCount == 0 { try self.receive(Self.ping) }
        #expect(self.unclosed.closeCount == 1)
        #expect(try self.farewells() == [11])
        for _ in 0..<3 { try self.receive(Self.broken) }
        #expect(self.unclosed.closeCount > 1)
        #expect(try self.farewells().isEmpty)
    }

    @Test func anErrorBehindAnErrorIsNoMoreThanAnotherEnd() throws {
        try self.receive(Self.head)
        for _ in 0..<3 { try self.receive(Self.broken) }
        #expect(self.unclosed.closeCount > 0)
        #expect(try self.farewells().allSatisfy { $0 == 9 })
    }

    @Test func aClientThatReadsNothingHasSoManyFramesWaitingAndNoMore() throws {
        self.channel.isWritable = false
        self.channel.pipeline.fireChannelWritabilityChanged()
        // Each has an acknowledgement.
        for _ in 0..<4 { try self.receive(Self.ping) }
        #expect(self.unclosed.closeCount == 0)
        try self.receive(Self.ping)
        #expect(self.unclosed.closeCount == 1)
        #expect(try self.farewells() == [11])
    }

    @Test func aStopBehindAnErrorRaisesNothing() throws {
        try self.receive(Self.head)
        for _ in 0..<20 where self.unclosed.closeCount == 0 { try self.receive(Self.ping) }
        #expect(try self.farewells() == [11])
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try self.farewells().isEmpty)
    }
}

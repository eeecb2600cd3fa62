import CoreMetrics
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP2
import NIOHTTPTypes
import Testing

@testable import HTTPServer

/// Frames that arrive after the server has ended a connection and before the client has.
struct HTTP2ConnectionLifetimeTests {
    private typealias Frame = HTTP2FrameClient.Frame

    /// Simulates TLS, which waits for the client to close its half.
    private final class Unclosed: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private(set) var closeCount = 0

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            self.closeCount += 1
        }
    }

    /// Closes a stream while it reads the head of a request without a body.
    private final class Closer: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .headers(let head) = self.unwrapInboundIn(data), head.endStream else { return }
            context.close(promise: nil)
        }
    }

    private static let head = HTTP2FrameClient.head(1, HTTP2FrameClient.request(method: "POST"), isWhole: false)
    private static let ping = Frame(type: 6, stream: 0, payload: Array(repeating: 1, count: 8))
    /// A HEADERS frame that cannot be decoded.
    private static let broken = Frame(type: 1, flags: 5, stream: 3, payload: [0xFF])

    private static let headTimeout = TimeAmount.seconds(10)
    private static let idleTimeout = TimeAmount.hours(1)

    private let channel = EmbeddedChannel()
    private let unclosed = Unclosed()

    init() throws {
        var limits = HTTP2Limits()
        limits.controlFrames = 10
        limits.waitingFrames = 4
        let lifetime = HTTP2ConnectionLifetime(
            idleTimeout: Self.idleTimeout, headTimeout: Self.headTimeout, limits: limits)
        let pipeline = self.channel.pipeline.syncOperations
        try pipeline.addHandler(self.unclosed)
        _ = try pipeline.configureAsyncHTTP2Pipeline(
            mode: .server, streamDelegate: lifetime, frameDelegate: lifetime, configuration: limits.configuration
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let isRefused = lifetime.refusesStream()
                try stream.pipeline.syncOperations.addHandler(isRefused ? HTTP2StreamLimit.Refusal() : Closer())
            }
        }
        try pipeline.addHandler(lifetime)
        try self.channel.connect(to: SocketAddress(unixDomainSocketPath: "/client")).wait()
        try self.channel.writeInbound(HTTP2FrameClient.preface)
        try self.receive(Frame(type: 4, stream: 0))
    }

    private func receive(_ frames: Frame...) throws {
        try self.channel.writeInbound(HTTP2FrameClient.bytes(of: frames))
    }

    private func sent() throws -> [Frame] {
        var sent = ByteBuffer()
        while case .byteBuffer(var part)? = try self.channel.readOutbound(as: IOData.self) { sent.writeBuffer(&part) }
        var frames: [Frame] = []
        while let frame = Frame(next: &sent) { frames.append(frame) }
        return frames
    }

    /// The error codes of all GOAWAY frames sent.
    private func farewells() throws -> [UInt8] {
        try self.sent().filter { $0.type == 7 }.compactMap(\.code)
    }

    /// Stops the server and returns once it has announced the last stream.
    private func stop(afterAnnouncement frames: Frame...) throws {
        self.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        let announced = try self.sent()
        let farewell = try #require(announced.first { $0.type == 7 })
        #expect(farewell.payload == [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
        try self.channel.writeInbound(HTTP2FrameClient.bytes(of: frames))
        var echo = try #require(announced.first { $0.type == 6 })
        echo.flags = 1
        try self.receive(echo)
    }

    @Test func framesOfStreamsAfterTheLastOneLeaveTheOthersAlone() throws {
        try self.receive(Self.head)
        try self.stop()
        #expect(try self.sent().filter { $0.type == 7 }.map(\.payload) == [[0, 0, 0, 1, 0, 0, 0, 0]])
        let data = Frame(type: 0, stream: 3, payload: [1, 2, 3])
        try self.receive(
            HTTP2FrameClient.head(3, HTTP2FrameClient.request(method: "POST"), isWhole: false), data,
            Frame(type: 8, stream: 3, payload: [0, 0, 0, 9]), data)
        self.channel.embeddedEventLoop.run()
        try self.receive(data, Frame(type: 3, stream: 3, payload: [0, 0, 0, 8]))
        let answers = try self.sent()
        #expect(!answers.contains { $0.type == 7 } && answers.allSatisfy { $0.type != 3 || $0.stream == 3 })
        #expect(answers.filter { $0.type == 3 }.map(\.code) == [7])
        // The first request continues.
        try self.receive(Frame(type: 0, stream: 1, payload: [1]))
        #expect(self.unclosed.closeCount == 0)
    }

    @Test func aRequestThatCrossesTheAnnouncementIsServed() throws {
        try self.stop(afterAnnouncement: Self.head)
        #expect(try self.sent().filter { $0.type == 7 }.map(\.payload) == [[0, 0, 0, 1, 0, 0, 0, 0]])
        self.channel.embeddedEventLoop.run()
        #expect(self.unclosed.closeCount == 0)
    }

    @Test func anErrorAfterTheLastStreamWasNamedNamesNoLaterOne() throws {
        try self.receive(Self.head)
        try self.stop()
        _ = try self.sent()
        try self.receive(Frame(type: 1, flags: 5, stream: 5, payload: [0xFF]))
        let farewells = try self.sent().filter { $0.type == 7 }
        #expect(!farewells.isEmpty && farewells.allSatisfy { $0.payload[3] <= 1 && $0.payload[..<3] == [0, 0, 0] })
        #expect(self.unclosed.closeCount > 0)
    }

    /// NIO's handler writes the payload of `DATA` separately.
    @Test func aBodyThatLooksLikeAFarewellIsSentAsItIs() throws {
        let channel = EmbeddedChannel(handler: HTTP2LastStream(1))
        let looksLikeOne = ByteBuffer(bytes: [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
        let head = ByteBuffer(bytes: [0, 0, UInt8(looksLikeOne.readableBytes), 0, 1, 0, 0, 0, 1])
        for part in [head, looksLikeOne, looksLikeOne] { try channel.writeOutbound(IOData.byteBuffer(part)) }
        var sent: [ByteBuffer] = []
        while case .byteBuffer(let part)? = try channel.readOutbound(as: IOData.self) { sent.append(part) }
        #expect(sent == [head, looksLikeOne, HTTP2LastStream.farewell(1)])
    }

    @Test func aClientThatShutsTheConnectionDownHasTheResponsesInFlightAndTheEnd() throws {
        try self.receive(Self.head, Frame(type: 7, stream: 0, payload: Array(repeating: 0, count: 8)))
        #expect(try self.farewells() == [0])
        self.channel.embeddedEventLoop.advanceTime(by: HTTP2Limits().farewell)
        #expect(self.unclosed.closeCount == 0)
        try self.receive(Frame(type: 3, stream: 1, payload: [0, 0, 0, 8]))
        self.channel.embeddedEventLoop.run()
        #expect(self.unclosed.closeCount == 1)
    }

    @Test func aConnectionWithoutAHeadEnds() throws {
        self.channel.embeddedEventLoop.advanceTime(by: Self.headTimeout)
        #expect(try self.farewells() == [0])
        self.channel.embeddedEventLoop.advanceTime(by: HTTP2Limits().farewell)
        #expect(self.unclosed.closeCount == 1)
    }

    @Test func aHeadWithoutAnEndIsNone() throws {
        var part = Self.head
        part.flags = 0
        self.channel.embeddedEventLoop.advanceTime(by: Self.headTimeout - .seconds(1))
        try self.receive(part)
        self.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try self.farewells() == [0])
    }

    /// Without TLS: the timeout includes the handshake, which may exceed it on a slow machine.
    @Test func aServerEndsAConnectionWithAFirstHeadThatHasNoEnd() throws {
        let channel = EmbeddedChannel()
        let server = ConnectionServer(
            responder: { _, _, _ in }, limits: ConnectionDeadlines.Limits(head: Self.headTimeout),
            idleTimeout: Self.idleTimeout)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/client")).wait()
        _ = try server.addStreams(to: channel, Logger(label: "test")) { _, _ in }
        var part = Self.head
        part.flags = 0
        try channel.writeInbound(HTTP2FrameClient.preface)
        try channel.writeInbound(HTTP2FrameClient.bytes(of: [Frame(type: 4, stream: 0), part]))
        channel.embeddedEventLoop.advanceTime(by: Self.headTimeout - .seconds(1))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1) + HTTP2Limits().farewell)
        #expect(!channel.isActive)
    }

    @Test func aConnectionIsIdleAfterAStreamThatWasClosedWhileItsHeadWasRead() throws {
        try self.receive(HTTP2FrameClient.head(1, HTTP2FrameClient.request()))
        self.channel.embeddedEventLoop.advanceTime(by: Self.idleTimeout - .seconds(1))
        #expect(try self.farewells().isEmpty)
        self.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try self.farewells() == [0])
    }

    @Test func aConnectionWithARequestIsNotMeasuredByItsHead() throws {
        try self.receive(Self.head)
        self.channel.embeddedEventLoop.advanceTime(by: Self.headTimeout)
        #expect(try self.farewells().isEmpty)
        #expect(self.unclosed.closeCount == 0)
    }

    /// In this state NIO's first GOAWAY allows no stream, and the next one all of them.
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
        // Each ping requires an acknowledgement.
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

    /// Closes its stream after an error, as the asynchronous channel of the server.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    @Test func aMalformedRequestWhileNothingCanBeSentLeavesTheConnectionIdle() throws {
        let channel = EmbeddedChannel()
        var server = ConnectionServer(
            responder: { _, _, _ in }, limits: ConnectionDeadlines.Limits(), idleTimeout: .seconds(60),
            sendBudget: SendBudget(limit: 1 << 20, metrics: NOOPMetricsHandler.instance), serverName: nil)
        server.http2.streams = 4
        let tracker = IdleTracker(channel, now: .now())
        try channel.pipeline.syncOperations.addHandler(IdleTracker.Handler(tracker))
        _ = try server.addStreams(to: channel, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { stream, _ in
            try stream.pipeline.syncOperations.addHandler(Reader())
        }
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(HTTP2FrameClient.preface)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        let head = HTTP2FrameClient.head(1, HTTP2FrameClient.request(method: "/ET"), isWhole: true)
        let settings = [Frame(type: 4, stream: 0), Frame(type: 4, flags: 1, stream: 0)]
        _ = try? channel.writeInbound(HTTP2FrameClient.bytes(of: settings + [head]))
        channel.embeddedEventLoop.run()
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.run()
        for _ in 0..<20 { channel.embeddedEventLoop.advanceTime(by: .seconds(10)) }
        #expect(!channel.isActive)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}

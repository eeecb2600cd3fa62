import CoreMetrics
import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

@testable import HTTPServer

/// Plays an input against the handlers of one connection of the server, on a loop with its own time: bytes arrive, time
/// passes, routes respond, the client closes or resets.
final class ConnectionDriver {
    /// The last handler of a connection or stream, instead of the routes. Collects requests, and responds to them in
    /// order.
    final class Route: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        typealias OutboundOut = HTTPResponsePart

        private var context: ChannelHandlerContext?
        private var requests: [HTTPRequest] = []
        private(set) var requestCount = 0
        private(set) var responseCount = 0

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let request) = self.unwrapInboundIn(data) else { return }
            check(request.path?.utf8.contains(UInt8(ascii: "#")) != true, "a target with a fragment passed")
            check(request.method != .connect, "CONNECT passed")
            let lengths = request.headerFields[values: .contentLength]
            check(lengths.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }, "a length is not a number")
            self.requests.append(request)
            self.requestCount += 1
        }

        /// As the asynchronous channel of the server, which throws the error to its reader and closes.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        var isWaited: Bool { !self.requests.isEmpty && self.context?.channel.isActive == true }

        /// - Parameter kind: Chooses the response.
        func respond(_ kind: UInt8) {
            guard let context, !self.requests.isEmpty else { return }
            if kind & 15 == 0 {
                // The body was read: the client may send it.
                return self.write(.head(HTTPResponse(status: .continue)), context)
            }
            let request = self.requests.removeFirst()
            self.responseCount += 1
            let length = [0, 5, 40_000, 200_000][Int(kind & 3)]
            var head = HTTPResponse(status: kind & 12 == 12 ? .tooManyRequests : .ok)
            head.headerFields[.contentLength] = "\(length)"
            if kind & 0xF0 == 0xF0 { head.headerFields[.connection] = "close" }
            self.write(.head(head), context)
            if request.method != .head, length > 0 {
                self.write(.body(ByteBuffer(repeating: 7, count: length)), context)
            }
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }

        private func write(_ part: HTTPResponsePart, _ context: ChannelHandlerContext) {
            context.writeAndFlush(self.wrapOutboundOut(part), promise: nil)
        }
    }

    let channel = EmbeddedChannel()
    let budget = SendBudget(limit: 1 << 20, metrics: NOOPMetricsHandler.instance)
    private(set) var routes: [Route] = []
    private(set) var sent: [UInt8] = []
    private var takesBytes = true

    /// Limits of the server, and an idle timeout that has passed at once by Hummingbird's clock, which is not the loop's.
    func server(hasIdleTimeout: Bool) -> ConnectionServer {
        ConnectionServer(
            responder: { _, _, _ in }, limits: ConnectionDeadlines.Limits(),
            idleTimeout: hasIdleTimeout ? .seconds(60) : .hours(1), sendBudget: self.budget, serverName: "OneSheet")
    }

    static let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }

    func add(_ route: Route) { self.routes.append(route) }

    func begin() throws {
        try self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func play(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        while !input.isEmpty, self.channel.isActive {
            let step = input.byte()
            switch step & 7 {
            case 0...2: self.receive(input.take(Int(input.byte()) * (step & 8 == 0 ? 1 : 64)))
            case 3: self.pass([.milliseconds(1), .seconds(1), .seconds(6), .seconds(61)][Int(step >> 3 & 3)])
            case 4, 5:
                let waited = self.routes.filter(\.isWaited)
                if !waited.isEmpty { waited[Int(step >> 3) % waited.count].respond(input.byte()) }
            case 6: self.interrupt(step >> 3)
            default:
                self.channel.isWritable.toggle()
                self.takesBytes.toggle()
                self.channel.pipeline.fireChannelWritabilityChanged()
            }
            self.channel.embeddedEventLoop.run()
            if self.takesBytes { self.take() }
        }
    }

    func receive(_ bytes: [UInt8]) {
        // The pipeline reports errors of the client by exceptions, too.
        _ = try? self.channel.writeInbound(ByteBuffer(bytes: bytes))
    }

    func pass(_ time: TimeAmount) { self.channel.embeddedEventLoop.advanceTime(by: time) }

    private func interrupt(_ kind: UInt8) {
        switch kind & 7 {
        case 0: self.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case 1: self.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        case 2: self.channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "reset"))
        case 3: self.channel.close(promise: nil)
        default: self.channel.pipeline.fireChannelReadComplete()
        }
    }

    /// Takes what the server has sent.
    func take() {
        while let part = (try? self.channel.readOutbound(as: IOData.self)) ?? nil {
            if case .byteBuffer(let bytes) = part { self.sent += bytes.readableBytesView }
        }
    }

    /// Lets the client read all bytes and the routes respond to all requests. The client is silent afterwards, and the
    /// connection must end and release its memory.
    func finish() {
        self.channel.isWritable = true
        self.channel.pipeline.fireChannelWritabilityChanged()
        for _ in 0..<100_000 {
            let waited = self.routes.filter(\.isWaited)
            guard !waited.isEmpty, self.channel.isActive else { break }
            for route in waited { route.respond(1) }
            self.channel.embeddedEventLoop.run()
            self.take()
        }
        for _ in 0..<600 {
            guard self.channel.isActive else { break }
            self.pass(.seconds(10))
            self.take()
        }
    }

    /// Closes the channel, if it is still open; nothing may be left afterwards.
    func end() {
        _ = try? self.channel.finish(acceptAlreadyClosed: true)
        self.channel.embeddedEventLoop.run()
        check(
            self.budget.heldByteCount == 0,
            "\(self.budget.heldByteCount) bytes stay in the account of an ended connection")
        check(self.budget.accountCount == 0, "an account of an ended connection is left")
        check(ClientConnectionState.of(self.channel) == nil, "the state of an ended connection is left")
    }
}

import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import HTTPServer
@testable import PosterAPI

/// A connection without a socket. The slow path records requests; a test answers them.
final class CacheHitConnection {
    let channel = EmbeddedChannel()
    private let route = Route()

    /// - Parameter limits: Deadlines; none if `nil`.
    init(_ hits: CacheHitHandler, limits: ConnectionDeadlines.Limits? = nil) throws {
        let pipeline = self.channel.pipeline.syncOperations
        let deadlines = limits.map { [ConnectionDeadlines.SocketHandler($0)] } ?? []
        try pipeline.addHandlers(
            deadlines + [HTTPResponseEncoder()] + RequestDecoder.handlers(observers: deadlines))
        try self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try pipeline.addHandlers([CacheHitHandler.Installer(hits), self.route])
    }

    deinit {
        do { _ = try self.channel.finish(acceptAlreadyClosed: true) } catch {}  // throws after an incomplete request
    }

    /// The targets of slow-path requests, in order.
    var routed: [String] { self.route.targets }

    func send(_ text: String) throws {
        try self.channel.writeInbound(ByteBuffer(string: text))
    }

    /// All bytes sent and flushed since the last call.
    func received() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case .byteBuffer(let part)? = try self.channel.readOutbound(as: IOData.self) {
            bytes += part.readableBytesView
        }
        return bytes
    }

    /// The status lines of the responses since the last call.
    func statusLines() throws -> [String] {
        let text = String(decoding: try self.received(), as: UTF8.self)
        return text.split(separator: "\r\n").filter { $0.contains("HTTP/1.1 ") }
            .map { String($0[$0.firstRange(of: "HTTP/1.1 ")!.lowerBound...]) }
    }

    /// Sends the slow path's response to the oldest request.
    func answer(_ status: HTTPResponseStatus = .ok) {
        self.route.answer(status)
    }

    private final class Route: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        private(set) var targets: [String] = []
        private var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = self.unwrapInboundIn(data) { self.targets.append(head.uri) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.targets.append("error")
        }

        func answer(_ status: HTTPResponseStatus) {
            guard let context else { return }
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: ["Content-Length": "0"])
            context.write(self.wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

import NIOCore
import NIOHTTP1

/// A `ByteToMessageDecoder` for requests of HTTP/1.1 that continues after a request with `Upgrade`.
///
/// NIO's decoder stops for good behind `Connection: upgrade` with `Upgrade`, because what follows may be of another
/// protocol. This server never changes protocols and ignores `Upgrade` (RFC 9110, 7.8), so the bytes that follow are
/// the next request: a new decoder of NIO's reads them.
package final class RequestDecoder: ByteToMessageDecoder {
    typealias InboundOut = HTTPServerRequestPart

    private let limits: NIOHTTPDecoderLimitConfiguration
    private var decoder: HTTPRequestDecoder
    /// Whether a request that may have stopped the decoder ended since it was last examined.
    private var mayHaveStopped = false

    init(limits: NIOHTTPDecoderLimitConfiguration = .init()) {
        self.limits = limits
        self.decoder = HTTPRequestDecoder(limitConfiguration: limits)
    }

    /// - Returns: The handlers of one connection, in their order.
    static func handlers(limits: NIOHTTPDecoderLimitConfiguration = .init()) -> [any ChannelHandler] {
        let decoder = RequestDecoder(limits: limits)
        return [ByteToMessageHandler(decoder), UpgradeWatch(decoder)]
    }

    func decoderAdded(context: ChannelHandlerContext) {
        self.decoder.decoderAdded(context: context)
    }

    func decoderRemoved(context: ChannelHandlerContext) {
        self.decoder.decoderRemoved(context: context)
    }

    func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        var state = try self.decoder.decode(context: context, buffer: &buffer)
        while self.mayHaveStopped {
            self.mayHaveStopped = false
            guard self.isBetweenRequests(context) else { break }
            self.decoder.decoderRemoved(context: context)
            self.decoder = HTTPRequestDecoder(limitConfiguration: self.limits)
            self.decoder.decoderAdded(context: context)
            if buffer.readableBytes > 0 { state = try self.decoder.decode(context: context, buffer: &buffer) }
        }
        return state
    }

    func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        _ = try self.decode(context: context, buffer: &buffer)
        return try self.decoder.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
    }

    /// Whether the decoder can be replaced: it has stopped, or holds nothing of a next request. NIO does not say so,
    /// but an end of input is an error in the midst of a request only, and changes nothing in the parser.
    private func isBetweenRequests(_ context: ChannelHandlerContext) -> Bool {
        var nothing = ByteBuffer()
        return (try? self.decoder.decodeLast(context: context, buffer: &nothing, seenEOF: true)) != nil
    }

    /// Stands right behind the decoder and reports requests that may have stopped it. Whether they did depends on how
    /// the parser reads `Connection`, which is not repeated here.
    private final class UpgradeWatch: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        private let decoder: RequestDecoder
        private var isUpgrade = false

        init(_ decoder: RequestDecoder) {
            self.decoder = decoder
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch self.unwrapInboundIn(data) {
            case .head(let head): self.isUpgrade = head.headers.contains(name: "Upgrade")
            case .body: break
            case .end: self.decoder.mayHaveStopped = self.decoder.mayHaveStopped || self.isUpgrade
            }
            context.fireChannelRead(data)
        }
    }
}

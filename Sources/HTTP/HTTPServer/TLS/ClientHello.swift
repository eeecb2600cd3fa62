import NIOCore

/// Parses the application protocols that a TLS client offers (RFC 8446, 4.1.2, and RFC 7301, 3.1).
enum ClientHello {
    /// Maximum number of bytes of a hello that are parsed, including its record headers. Real ones have some 2 KiB.
    static let byteLimit = 16 << 10

    enum Finding: Equatable {
        /// More bytes are needed.
        case incomplete
        /// The names in the client's order; `nil` if the extension is missing, or if the bytes are not a hello, which
        /// TLS then rejects.
        case protocols([String]?)
    }

    private static let (handshakeRecord, clientHello): (UInt8, UInt8) = (22, 1)
    private static let protocolsExtension: UInt16 = 16

    /// - Parameter bytes: All bytes that the client has sent so far.
    static func protocols(in bytes: ByteBuffer) -> Finding {
        let incomplete = bytes.readableBytes <= self.byteLimit ? Finding.incomplete : .protocols(nil)
        var records = bytes
        var message = ByteBuffer()
        while true {
            if let hello = self.message(in: message) { return .protocols(self.protocols(of: hello)) }
            guard let type: UInt8 = records.readInteger() else { return incomplete }
            guard type == self.handshakeRecord else { return .protocols(nil) }
            guard records.readInteger(as: UInt16.self) != nil, let length: UInt16 = records.readInteger(),
                var part = records.readSlice(length: Int(length))
            else { return incomplete }
            message.writeBuffer(&part)
        }
    }

    /// The body of the first handshake message, once it is complete; empty if the message is not a hello.
    private static func message(in bytes: ByteBuffer) -> ByteBuffer? {
        var bytes = bytes
        guard let type: UInt8 = bytes.readInteger() else { return nil }
        guard type == self.clientHello else { return ByteBuffer() }
        guard let high: UInt8 = bytes.readInteger(), let low: UInt16 = bytes.readInteger() else { return nil }
        return bytes.readSlice(length: Int(high) << 16 | Int(low))
    }

    private static func protocols(of hello: ByteBuffer) -> [String]? {
        var hello = hello
        // Skips version and random number, session id, cipher suites and compression methods.
        guard hello.readSlice(length: 2 + 32) != nil,
            hello.readLengthPrefixedSlice(as: UInt8.self) != nil, hello.readLengthPrefixedSlice(as: UInt16.self) != nil,
            hello.readLengthPrefixedSlice(as: UInt8.self) != nil,
            var extensions = hello.readLengthPrefixedSlice(as: UInt16.self)
        else { return nil }
        while let type: UInt16 = extensions.readInteger(),
            var body = extensions.readLengthPrefixedSlice(as: UInt16.self)
        {
            guard type == self.protocolsExtension else { continue }
            guard var list = body.readLengthPrefixedSlice(as: UInt16.self) else { return nil }
            var names: [String] = []
            while let name = list.readLengthPrefixedSlice(as: UInt8.self) { names.append(String(buffer: name)) }
            return names
        }
        return nil
    }

    /// Rejects clients that offer only unsupported protocols, with the alert for that (RFC 7301, 3.2): NIOSSL would
    /// continue without a protocol. Placed in front of TLS until the hello is complete.
    final class ProtocolCheck: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundOut = ByteBuffer

        /// A record with the fatal alert no_application_protocol.
        static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 120]

        private let served: [String]
        private var received = ByteBuffer()
        private var isRefused = false

        /// - Parameter served: The supported protocols: a client must offer one of them, if it offers any.
        init(_ served: [String]) {
            self.served = served
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !self.isRefused else { return }
            var bytes = self.unwrapInboundIn(data)
            self.received.writeBuffer(&bytes)
            switch ClientHello.protocols(in: self.received) {
            case .incomplete: return
            case .protocols(let offered?) where !offered.contains(where: self.served.contains):
                self.isRefused = true
                context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(bytes: Self.alert)), promise: nil)
                context.close(promise: nil)
            case .protocols:
                context.fireChannelRead(self.wrapInboundOut(self.received))
                context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            }
        }
    }
}

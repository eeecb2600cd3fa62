import NIOCore

extension RefusedRequests {
    /// Stands right before the decoder, which calls it a wrong version when the request's line ends in LF alone.
    final class LineCheck: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        /// What the decoder is reading.
        private var bytes: ByteBuffer?
        /// Of all that it has read.
        private var lastByte: UInt8?

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = self.unwrapInboundIn(data)
            self.bytes = bytes
            context.fireChannelRead(data)
            self.bytes = nil
            self.lastByte = bytes.readableBytesView.last ?? self.lastByte
        }

        /// Whether a line of what the decoder is reading ends in LF alone; to be asked while it is.
        var hasBareLineEnd: Bool {
            var before = self.lastByte
            for byte in self.bytes?.readableBytesView ?? ByteBufferView() {
                if byte == UInt8(ascii: "\n"), before != UInt8(ascii: "\r") { return true }
                before = byte
            }
            return false
        }
    }
}

import NIOCore
import NIOHTTP2

/// Keeps each `GOAWAY` of NIO's handler from naming a later stream than the ones before (RFC 9113, 6.8), which that handler
/// did not write. Stands in front of it once there was one.
final class HTTP2LastStream: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private static let (frameType, dataType): (UInt8, UInt8) = (7, 0)
    private static let headLength = 9
    /// The offsets in a frame of its type and, behind its head, of the last stream.
    private static let (typeOffset, lastOffset) = (3, 9)

    /// The last stream that was named.
    var last: HTTP2StreamID
    /// Whether the next write is the payload of a `DATA` frame: its bytes can look like a frame's.
    private var isPayloadNext = false

    init(_ last: HTTP2StreamID) {
        self.last = last
    }

    /// A frame without an error.
    static func farewell(_ last: HTTP2StreamID) -> ByteBuffer {
        var frame = ByteBuffer()
        // The length of the payload, and no flags.
        frame.writeBytes([0, 0, 8, Self.frameType, 0])
        frame.writeInteger(Int32(HTTP2StreamID.rootStream))
        frame.writeInteger(Int32(last))
        frame.writeInteger(UInt32(HTTP2ErrorCode.noError.networkCode))
        return frame
    }

    /// NIO's handler writes frame by frame, and `DATA` as the head and the payload.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !self.isPayloadNext, case .byteBuffer(var frame) = self.unwrapOutboundIn(data) else {
            self.isPayloadNext = false
            context.write(data, promise: promise)
            return
        }
        let type: UInt8? = frame.getInteger(at: frame.readerIndex + Self.typeOffset)
        self.isPayloadNext = type == Self.dataType && frame.readableBytes == Self.headLength
        guard type == Self.frameType,
            let named = frame.getInteger(at: frame.readerIndex + Self.lastOffset, as: Int32.self),
            named > Int32(self.last)
        else {
            context.write(data, promise: promise)
            return
        }
        frame.setInteger(Int32(self.last), at: frame.readerIndex + Self.lastOffset)
        context.write(self.wrapOutboundOut(.byteBuffer(frame)), promise: promise)
    }
}

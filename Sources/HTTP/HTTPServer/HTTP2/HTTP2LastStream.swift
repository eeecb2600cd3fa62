import NIOCore
import NIOHTTP2

/// Prevents a `GOAWAY` of NIO's handler from naming a later stream than an earlier `GOAWAY` (RFC 9113, 6.8) that was
/// not written by that handler. Placed in front of it once there was one.
final class HTTP2LastStream: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private static let (frameType, dataType): (UInt8, UInt8) = (7, 0)
    private static let headLength = 9
    /// Offsets in a frame of its type and, after its header, of the last stream.
    private static let (typeOffset, lastOffset) = (3, 9)

    /// The last stream that was named.
    var last: HTTP2StreamID
    /// Whether the next write is the payload of a `DATA` frame, which can look like a frame.
    private var isPayloadNext = false

    init(_ last: HTTP2StreamID) {
        self.last = last
    }

    /// A `GOAWAY` frame without an error.
    static func farewell(_ last: HTTP2StreamID) -> ByteBuffer {
        var frame = ByteBuffer()
        // The length of the payload, the type, and no flags.
        frame.writeBytes([0, 0, 8, Self.frameType, 0])
        frame.writeInteger(Int32(HTTP2StreamID.rootStream))
        frame.writeInteger(Int32(last))
        frame.writeInteger(UInt32(HTTP2ErrorCode.noError.networkCode))
        return frame
    }

    /// Relies on NIO's handler writing frame by frame, and `DATA` as header and payload.
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

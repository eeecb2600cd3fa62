package import NIOCore
import NIOHTTP2

/// Limits of one HTTP/2 connection. Exceeding one closes the connection (RFC 9113, 10.5), except where stated
/// otherwise. NIO's handler allocates 8 bytes for each of ``resets``, ``streamErrors`` and ``controlFrames`` with each
/// connection, without a check for overflow.
package struct HTTP2Limits: Sendable {
    /// Maximum number of concurrent requests; advertised to the client. Further ones are refused, and the connection
    /// continues. 100 by default, the least that RFC 9113 recommends.
    package var streams = 100
    /// Maximum number of refused requests, above ``streams``, within ``window``. 1000 by default: a client may have
    /// sent many before it has read the limit.
    package var refusals = 1000
    /// Maximum size of a head, in bytes plus 32 for each field; advertised to the client. By default twice
    /// ``HeadLimits``, as for HTTP/1.1: a head in between is rejected with a problem document, and other requests of
    /// the connection continue.
    package var headerListBytes = 2 * (HeadLimits.byteCount + 32 * HeadLimits.fieldCount)
    /// Maximum number of requests cancelled by the client within ``window`` (CVE-2023-44487). 500 by default: scrolling
    /// through a wall of posters cancels many.
    package var resets = 500
    /// Maximum number of requests that violate the protocol within ``window``. 100 by default.
    package var streamErrors = 100
    /// Maximum number of frames without data, such as PING and SETTINGS, within ``window``. 200 by default.
    package var controlFrames = 200
    /// Maximum number of frames without bodies, such as heads and resets, that wait for a client that reads nothing.
    /// 500 by default: several for each of ``streams``.
    package var waitingFrames = 500
    /// The period of the limits above. 30 seconds by default.
    package var window = TimeAmount.seconds(30)
    /// How long to wait for the client's `PING` reply after the first `GOAWAY`. One second by default.
    package var farewell = TimeAmount.seconds(1)

    package init() {}

    var configuration: NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: HTTP2StreamLimit.unlimited),
            HTTP2Setting(parameter: .maxHeaderListSize, value: self.headerListBytes),
        ]
        // A frame of a reset stream is ignored as long as the stream is remembered; otherwise it closes the connection.
        configuration.connection.maximumRecentlyResetStreams = 2 * self.streams
        configuration.connection.maximumBufferedControlFrames = self.waitingFrames
        configuration.connection.controlFrameRateLimit.maximumCount = self.controlFrames
        configuration.connection.controlFrameRateLimit.windowLength = self.window
        configuration.stream.streamResetFrameRateLimit.maximumCount = self.resets
        configuration.stream.streamResetFrameRateLimit.windowLength = self.window
        configuration.stream.streamErrorRateLimit.maximumCount = self.streamErrors
        configuration.stream.streamErrorRateLimit.windowLength = self.window
        return configuration
    }
}

/// Makes streams above the limit fail one by one. Placed in front of `NIOHTTP2Handler` while the connection starts.
///
/// A stream above the limit is a stream error (RFC 9113, 5.1.2), but NIO's handler closes the connection for it, even
/// before the client can have read the limit. Therefore that handler has no limit of its own: the one in its SETTINGS
/// is replaced here by the real one, and its settings take effect immediately, because they only relax its limits.
/// ``Refusal`` refuses streams above the real limit.
final class HTTP2StreamLimit: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The limit of streams that NIO's handler is configured with.
    static let unlimited = Int(Int32.max)
    private static let prefaceLength = 24
    private static let headLength = 9
    private static let settingsType: UInt8 = 4
    private static let acknowledged: UInt8 = 1
    /// A SETTINGS frame with ACK and without a payload.
    private static let acknowledgement: [UInt8] = [0, 0, 0, settingsType, acknowledged, 0, 0, 0, 0]

    private let limit: Int
    private var hasAdvertised = false
    /// Whether NIO's handler has received its acknowledgement, so that the client's is superfluous.
    private var hasAcknowledged = false
    /// Number of bytes to pass on until the next frame begins.
    private var passing = HTTP2StreamLimit.prefaceLength
    private var isPreface = true
    /// The incomplete head of a frame.
    private var held = ByteBuffer()

    /// - Parameter limit: Maximum number of concurrent streams, at least 1.
    init(_ limit: Int) {
        self.limit = limit
    }

    /// Replaces the limit in the first frame, which is SETTINGS (RFC 9113, 3.4).
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !self.hasAdvertised, case .byteBuffer(var frame) = self.unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        self.hasAdvertised = true
        for offset in stride(from: Self.headLength, to: frame.readableBytes - 5, by: 6) {
            let setting = frame.readerIndex + offset
            if frame.getInteger(at: setting, as: UInt16.self) == 3 {  // SETTINGS_MAX_CONCURRENT_STREAMS
                frame.setInteger(UInt32(self.limit), at: setting + 2)
            }
        }
        context.write(self.wrapOutboundOut(.byteBuffer(frame)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = self.unwrapInboundIn(data)
        if self.held.readableBytes > 0 {
            self.held.writeBuffer(&bytes)
            swap(&self.held, &bytes)
            self.held.clear()
        }
        var passed = ByteBuffer()
        var isDone = false
        while bytes.readableBytes > 0, !isDone {
            if self.passing > 0 {
                var part = bytes.readSlice(length: min(self.passing, bytes.readableBytes))!
                self.passing -= part.readableBytes
                passed.writeBuffer(&part)
                if self.passing == 0 { self.partEnded(&passed) }
            } else if bytes.readableBytes < Self.headLength {
                self.held = bytes.readSlice(length: bytes.readableBytes)!
            } else {
                isDone = self.beginFrame(&bytes)
            }
        }
        passed.writeBuffer(&bytes)
        if passed.readableBytes > 0 { context.fireChannelRead(self.wrapInboundOut(passed)) }
        if isDone { context.pipeline.syncOperations.removeHandler(context: context, promise: nil) }
    }

    /// Called when the preface or a frame has been passed on completely. The first frame is the client's SETTINGS.
    private func partEnded(_ passed: inout ByteBuffer) {
        if self.isPreface {
            self.isPreface = false
        } else if !self.hasAcknowledged {
            self.hasAcknowledged = true
            passed.writeBytes(Self.acknowledgement)
        }
    }

    /// - Returns: Whether the frame was the client's acknowledgement, which is dropped: the handler's work is then
    ///   done.
    private func beginFrame(_ bytes: inout ByteBuffer) -> Bool {
        let head = bytes.getBytes(at: bytes.readerIndex, length: Self.headLength)!
        if self.hasAcknowledged, head == Self.acknowledgement {
            bytes.moveReaderIndex(forwardBy: Self.headLength)
            return true
        }
        self.passing = Self.headLength + (Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
        return false
    }

    /// Resets a stream as soon as it is open: it was not processed, and the client may retry.
    final class Refusal: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        typealias OutboundOut = HTTP2Frame.FramePayload

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(self.wrapOutboundOut(.rstStream(.refusedStream)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
    }
}

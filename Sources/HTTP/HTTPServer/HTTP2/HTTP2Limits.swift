public import NIOCore
import NIOHTTP2

/// What one HTTP/2 connection may ask for. What is over a limit ends the connection (RFC 9113, 10.5).
public struct HTTP2Limits: Sendable {
    /// Requests under way at once; advertised to the client. One more is refused, and the connection goes on. 100 by
    /// default, the least that RFC 9113 recommends.
    public var streams = 100
    /// Requests over ``streams`` within ``window``. 1000 by default: a client may have sent many before it has read
    /// the limit.
    public var refusals = 1000
    /// All fields of a head, in bytes and 32 for each; the client is told. By default twice what ``HeadLimits`` allows, as
    /// for HTTP/1.1: what is between is refused with a sentence, and other requests of the connection go on.
    public var headerListBytes = 2 * (HeadLimits.byteCount + 32 * HeadLimits.fieldCount)
    /// Requests that a client gives up within ``window`` (CVE-2023-44487). 500 by default: a wall of posters that is
    /// scrolled through gives up many.
    public var resets = 500
    /// Requests that break the protocol within ``window``. 100 by default.
    public var streamErrors = 100
    /// Frames that carry nothing, such as PING and SETTINGS, within ``window``. 200 by default.
    public var controlFrames = 200
    /// What these are counted in. 30 seconds by default.
    public var window = TimeAmount.seconds(30)
    /// How long a client is waited for to hear that the connection ends. One second by default.
    public var farewell = TimeAmount.seconds(1)

    /// The defaults.
    public init() {}

    var configuration: NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: HTTP2StreamLimit.unlimited),
            HTTP2Setting(parameter: .maxHeaderListSize, value: self.headerListBytes),
        ]
        // A frame of a stream that was reset is ignored while the stream is remembered, and else ends the connection.
        configuration.connection.maximumRecentlyResetStreams = 2 * self.streams
        configuration.connection.controlFrameRateLimit.maximumCount = self.controlFrames
        configuration.connection.controlFrameRateLimit.windowLength = self.window
        configuration.stream.streamResetFrameRateLimit.maximumCount = self.resets
        configuration.stream.streamResetFrameRateLimit.windowLength = self.window
        configuration.stream.streamErrorRateLimit.maximumCount = self.streamErrors
        configuration.stream.streamErrorRateLimit.windowLength = self.window
        return configuration
    }
}

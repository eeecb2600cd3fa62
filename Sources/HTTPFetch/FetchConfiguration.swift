/// The limits of a ``Fetcher``. They hold for each of its transfers, unless they say otherwise.
public struct FetchConfiguration: Sendable, Hashable {
    /// Name resolution, connecting and the TLS handshake together may take this long, on every hop. `5 s` by default.
    public var connectTimeout: Duration = .seconds(5)
    /// One deadline over a whole fetch: waiting for a connection, all redirects, and the body. `20 s` by default.
    public var totalTimeout: Duration = .seconds(20)
    /// An answer that stays slower than this for ``lowSpeedDuration`` is given up. Bytes per second, `1024` by default.
    public var lowSpeedBytesPerSecond = 1024
    /// How long an answer may be too slow, rounded up to whole seconds. Waiting for its head counts. `10 s` by default.
    public var lowSpeedDuration: Duration = .seconds(10)
    /// The largest body, in bytes as the sink gets them (after content decoding). `32 MiB` by default.
    public var maxBytes = 32 << 20
    /// The largest head of one answer, with the interim ones before it, in bytes. `64 KiB` by default.
    public var maxHeaderBytes = 64 << 10
    /// How many redirects are followed; 0 follows none. `3` by default.
    public var maxRedirects = 3
    /// How many fetches may be under way or waiting at once; one more is refused. `128` by default.
    public var maxTransfers = 128
    /// Connections to one host and port. Fetches beyond it wait for one. `6` by default.
    public var maxConnectionsPerHost = 6
    /// Connections to all hosts, idle ones included. `64` by default.
    public var maxConnections = 64
    /// Whether loopback, private and other addresses that are not public may be connected to. `false` by default; for
    /// tests and for origins in one's own network.
    public var allowPrivateAddresses = false
    /// The `User-Agent` of every request. `OneSheet/1.0` by default.
    public var userAgent = "OneSheet/1.0"

    public init() {}
}

extension FetchConfiguration {
    /// How much of a body that nobody wants (a redirect's, an error page's) is read in order to keep the connection.
    /// Beyond it, closing and connecting anew is cheaper.
    static let maxDiscardedBytes = 64 << 10
}

extension Duration {
    /// Whole milliseconds, rounded up, so that a positive duration never becomes 0, which libcurl reads as "no limit".
    var millisecondsRoundedUp: Int {
        let (seconds, attoseconds) = self.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int((attoseconds + perMillisecond - 1) / perMillisecond)
    }
}

public import InternetAddress

/// The limits of a ``Fetcher``, for each of its transfers unless they say otherwise.
public struct FetchConfiguration: Sendable, Hashable {
    /// How long name resolution, connecting and the TLS handshake together may take on every hop, `5 s` by default.
    public var connectTimeout: Duration = .seconds(5)
    /// How long a whole fetch may take, from waiting for its turn over all redirects and retries to the end of the body,
    /// `20 s` by default.
    public var totalTimeout: Duration = .seconds(20)
    /// The bytes per second below which an answer is too slow, `1024` by default; 0 allows any speed.
    public var lowSpeedBytesPerSecond = 1024
    /// How long an answer may be too slow, waiting for its head included, in whole seconds (rounded up), `10 s` by
    /// default.
    public var lowSpeedDuration: Duration = .seconds(10)
    /// The largest body, in bytes as the sink gets them (after content decoding), `32 MiB` by default.
    public var maxBytes = 32 << 20
    /// The largest head of one answer, with the interim ones before it, in bytes, `64 KiB` by default.
    public var maxHeaderBytes = 64 << 10
    /// How many redirects are followed, `3` by default; 0 follows none.
    public var maxRedirects = 3
    /// How many fetches may be under way at once, of all origins, `128` by default; one more is refused.
    ///
    /// At least four times the largest ``OriginLimits/maxFetches`` counts, so that an origin that hangs leaves room for
    /// the others. The last quarter is kept for what is ``Urgency/Level/interactive``.
    public var maxTransfers = 128
    /// How many fetches may wait for their turn at their origins, of all origins, `1024` by default; one more is refused.
    ///
    /// At least four times the largest ``OriginLimits/maxWaiting`` counts, and the last quarter is kept, for the same
    /// reasons. A fetch whose origin has a slot free at once does not wait.
    public var maxWaiting = 1024
    /// What each origin is asked of at most, unless ``originLimitsByHost`` says otherwise. A preset's rate is not exceeded,
    /// nor its burst: TMDB's hosts and that of iTunes have one.
    public var originLimits = OriginLimits()
    /// The limits for the origins on these hosts, by name in lower case, or by name and port (`example.com:8080`), which
    /// counts before the name alone; as they are, without a preset's rate.
    public var originLimitsByHost: [String: OriginLimits] = [:]
    /// When a fetch is tried again.
    public var retry = RetryPolicy()
    /// When an origin is left alone because it fails.
    public var breaker = BreakerPolicy()
    /// Connections to all hosts, idle ones included, `64` by default; at least four times the largest
    /// ``OriginLimits/maxConnections`` counts.
    public var maxConnections = 64
    /// Whether addresses that are not public (loopback, private, link-local, …) may be connected to, `false` by default.
    ///
    /// For tests. An origin in one's own network is better named in one of the next two. What is no single host
    /// (unspecified, multicast) is refused always.
    public var allowPrivateAddresses = false
    /// Hosts that may be at addresses that are not public: names or addresses as they stand in URLs, in lower case.
    ///
    /// As with ``allowedPrivateNetworks``, a redirect leads to them only from a request whose own host is one of them, or
    /// in one of those networks: nobody on the Internet may send us there. A name may not be at a link-local address
    /// (where clouds keep credentials) unless a network says so.
    public var allowedPrivateHosts: Set<String> = []
    /// Addresses that may be connected to although they are not public.
    ///
    /// One of IPv4 also stands for the IPv6 addresses that NAT64 (`64:ff9b::/96`) translates to it.
    public var allowedPrivateNetworks: [IPNetwork] = []
    /// Whether the proxies in `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are used, `false` by default.
    ///
    /// Who connects through a proxy cannot see where that connects to: only addresses in URLs are judged then, not those
    /// of names.
    public var usesEnvironmentProxy = false
    /// How long the addresses of a name are used without asking again, `60 s` by default.
    public var dnsCacheDuration: Duration = .seconds(60)
    /// The PEM file of the certificates that are trusted instead of the system's; nil, the default, trusts the system's.
    ///
    /// For tests, and for origins in one's own network. With a file that cannot be read, all of TLS fails.
    public var trustedCertificatesFile: String?
    /// Whether HTTP/2 is spoken with TLS servers that offer it, `true` by default.
    ///
    /// Each connection carries one fetch at a time, as over HTTP/1.1, and is used again. With several, libcurl 7.88.1, which
    /// Debian 12 has, at times lets a stream stall until the low-speed limit ends it: against nghttpd 1.52, in 6 of 30
    /// bursts of 200 fetches on one host. With one, in none of 900, half of them with a third of the fetches cancelled.
    public var allowsHTTP2 = true
    /// The `User-Agent` of every request, `OneSheet/1.0` by default.
    public var userAgent = "OneSheet/1.0"

    /// The defaults.
    public init() {}
}

extension FetchConfiguration {
    /// The limits of the origins on this host.
    ///
    /// - Parameter host: In lower case.
    public func limits(forHost host: String, port: UInt16? = nil) -> OriginLimits {
        if let port, let limits = self.originLimitsByHost["\(host):\(port)"] { return limits }
        if let limits = self.originLimitsByHost[host] { return limits }
        return OriginLimits.presets[host].map { self.originLimits.within($0) } ?? self.originLimits
    }

    /// How much of a body that nobody wants (a redirect's, an error page's) is read in order to keep the connection.
    ///
    /// Beyond it, closing and connecting anew is cheaper.
    static let maxDiscardedBytes = 64 << 10
}

extension Duration {
    /// Whole milliseconds, rounded up, so that a positive duration never becomes 0.
    var millisecondsRoundedUp: Int {
        let (seconds, attoseconds) = self.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int((attoseconds + perMillisecond - 1) / perMillisecond)
    }

    var secondsRoundedUp: Int { (self.millisecondsRoundedUp + 999) / 1000 }
}

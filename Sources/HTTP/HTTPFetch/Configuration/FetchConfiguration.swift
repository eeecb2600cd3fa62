public import InternetAddress

/// The limits and policies of a ``Fetcher``.
public struct FetchConfiguration: Sendable, Hashable {
    /// The longest that name resolution, connecting and the TLS handshake together may take on each hop, `5 s` by default.
    public var connectTimeout: Duration = .seconds(5)
    /// The longest that a whole fetch may take, including its wait for a slot, redirects, retries and the body, `20 s` by
    /// default.
    public var totalTimeout: Duration = .seconds(20)
    /// The bytes per second below which a response is too slow, `1024` by default; 0 allows any speed.
    public var lowSpeedBytesPerSecond = 1024
    /// How long a response may be too slow, including the wait for its head, in whole seconds (rounded up), `10 s` by
    /// default.
    public var lowSpeedDuration: Duration = .seconds(10)
    /// The largest body, in bytes as the sink gets them (after content decoding), `32 MiB` by default.
    public var maxBytes = 32 << 20
    /// The largest head of one response, including the interim ones before it, in bytes, `64 KiB` by default.
    public var maxHeaderBytes = 64 << 10
    /// The most redirects that are followed, `3` by default; 0 follows none.
    public var maxRedirects = 3
    /// The most fetches that run at once, of all origins, `128` by default; one more is rejected.
    ///
    /// At least four times the largest ``OriginLimits/maxFetches`` applies, so that an origin that hangs leaves room for
    /// the others. The last quarter is reserved for ``Urgency/Level/interactive`` fetches.
    public var maxTransfers = 128
    /// The most fetches that wait for a slot of their origin, of all origins, `1024` by default; one more is rejected.
    ///
    /// At least four times the largest ``OriginLimits/maxWaiting`` applies, and the last quarter is reserved, as for
    /// ``maxTransfers``. A fetch whose origin has a free slot does not wait.
    public var maxWaiting = 1024
    /// The limits of each origin that ``originLimitsByHost`` does not name. For the hosts of TMDB and iTunes, a preset bounds
    /// the rate and the burst.
    public var originLimits = OriginLimits()
    /// The limits of the origins on these hosts, by name in lower case, or by name and port (`example.com:8080`), which
    /// takes precedence; presets do not apply.
    public var originLimitsByHost: [String: OriginLimits] = [:]
    /// When fetches are retried.
    public var retry = RetryPolicy()
    /// When fetches from an origin are rejected because it fails.
    public var breaker = BreakerPolicy()
    /// The most connections to all hosts, including idle ones, `64` by default; at least four times the largest
    /// ``OriginLimits/maxConnections`` applies.
    public var maxConnections = 64
    /// Whether addresses that are not public (loopback, private, link-local, …) may be connected to, `false` by default.
    ///
    /// For tests. Name an origin in a private network in ``allowedPrivateHosts`` or ``allowedPrivateNetworks`` instead.
    /// Addresses of no single host (unspecified, multicast) are always refused.
    public var allowPrivateAddresses = false
    /// Hosts that may be at addresses that are not public: names or addresses as they stand in URLs, in lower case.
    ///
    /// As with ``allowedPrivateNetworks``, redirects to them are followed only if the request's own host is one of them, or
    /// in one of those networks. A name may not be at a link-local address (where cloud metadata services are) unless that
    /// is in one of the networks.
    public var allowedPrivateHosts: Set<String> = []
    /// Addresses that may be connected to although they are not public.
    ///
    /// An IPv4 network includes the IPv6 addresses that NAT64 (`64:ff9b::/96`) translates to it.
    public var allowedPrivateNetworks: [IPNetwork] = []
    /// Whether the proxies in `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are used, `false` by default.
    ///
    /// Where a proxy connects to is not known: with one, only addresses in URLs are checked, not those of names.
    public var usesEnvironmentProxy = false
    /// How long the addresses of a name are cached, `60 s` by default.
    public var dnsCacheDuration: Duration = .seconds(60)
    /// The PEM file of the certificates that are trusted instead of the system's; nil, the default, trusts the system's.
    ///
    /// For tests, and for origins in a private network. If the file cannot be read, every TLS connection fails.
    public var trustedCertificatesFile: String?
    /// Whether HTTP/2 is used with TLS servers that offer it, `true` by default.
    ///
    /// Each connection carries one fetch at a time, as over HTTP/1.1, and is reused. With several, libcurl 7.88.1, which
    /// Debian 12 has, sometimes stalls a stream until the low-speed limit ends it: against nghttpd 1.52, in 6 of 30 bursts
    /// of 200 fetches from one host. With one, in none of 900, half of them with a third of the fetches cancelled.
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

    /// The most bytes of an unwanted body (a redirect's, an error page's) that are read to keep the connection; beyond,
    /// reconnecting is cheaper.
    static let maxDiscardedBytes = 64 << 10

    /// The least `retryAfter` of ``FetchError/overloaded(retryAfter:)``.
    static let minRetryAfter: Duration = .seconds(1)

    /// How long a transfer has to run before the total timeout counts as the origin's failure: half of
    /// ``lowSpeedDuration``, or half of ``totalTimeout`` if that is less.
    var minExposure: Duration { min(self.lowSpeedDuration, self.totalTimeout) / 2 }
}

// MARK: Effective limits: at least four times those of any origin, so that no origin alone can exhaust them

extension FetchConfiguration {
    private static let minOriginsToSaturate = 4

    /// The effective ``maxTransfers``.
    var transferBound: Int { self.bound(self.maxTransfers, each: \.maxFetches) }

    /// The effective ``maxWaiting``.
    var waitingBound: Int { self.bound(self.maxWaiting, each: \.maxWaiting) }

    /// The effective ``maxConnections``.
    var connectionBound: Int { self.bound(self.maxConnections, each: \.maxConnections) }

    /// - Parameter limit: Below 1 counts as 1.
    private func bound(_ total: Int, each limit: KeyPath<OriginLimits, Int>) -> Int {
        let limits = self.originLimitsByHost.values.map { $0[keyPath: limit] } + [self.originLimits[keyPath: limit]]
        let largest = max(1, limits.max() ?? 1)
        let (least, overflow) = largest.multipliedReportingOverflow(by: Self.minOriginsToSaturate)
        return max(total, overflow ? .max : least)
    }
}

import Flights
package import InternetAddress

/// The limits and policies of a ``Fetcher``.
public struct FetchConfiguration: Sendable, Hashable {
    /// For name resolution, connecting and the TLS handshake together, of each hop.
    package var connectTimeout: Duration = .seconds(5)
    /// For a whole fetch, including its wait for a slot, redirects, retries and the body.
    package var totalTimeout: Duration = .seconds(20)
    /// The bytes per second below which a response is too slow; 0 allows any speed.
    package var lowSpeedBytesPerSecond = 1024
    /// How long a response may be too slow, including the wait for its head, in whole seconds (rounded up).
    package var lowSpeedDuration: Duration = .seconds(10)
    /// The largest body, in bytes as the sink gets them (after content decoding).
    package var maxBytes = 32 << 20
    /// The largest head of one response, including the interim ones before it, in bytes.
    package var maxHeaderBytes = 64 << 10
    /// The most redirects that are followed.
    package var maxRedirects = 3
    /// The most fetches that run at once, of all origins; one more is rejected. The last quarter is reserved for
    /// ``Urgency/Level/interactive`` fetches. At least four times the largest ``OriginLimits/maxFetches`` applies, so that
    /// an origin that hangs leaves room for the others.
    package var maxTransfers = 128
    /// The most fetches that wait for a slot of their origin, of all origins, with the same reserve and least value.
    package var maxWaiting = 1024
    /// The limits of each origin that ``originLimitsByHost`` does not name; ``OriginLimits/presets`` bound them.
    package var originLimits = OriginLimits()
    /// The limits of the origins on these hosts, by name in lower case, or by name and port (`example.com:8080`), which
    /// takes precedence; presets do not apply.
    package var originLimitsByHost: [String: OriginLimits] = [:]
    package var retry = RetryPolicy()
    package var breaker = BreakerPolicy()
    /// The most connections to all hosts, including idle ones, with the same least value as ``maxTransfers``.
    package var maxConnections = 64
    /// Whether addresses that are not public (loopback, private, link-local, …) may be connected to; for tests.
    ///
    /// Addresses of no single host (unspecified, multicast) are always refused.
    package var allowPrivateAddresses = false
    /// Hosts that may be at addresses that are not public: names or addresses as they stand in URLs, in lower case.
    ///
    /// As with ``allowedPrivateNetworks``, redirects to them are followed only if the request's own host is one of them, or
    /// in one of those networks. A name may not be at a link-local address (where cloud metadata services are) unless that
    /// is in one of the networks.
    package var allowedPrivateHosts: Set<String> = []
    /// Addresses that may be connected to although they are not public. An IPv4 network includes the IPv6 addresses that
    /// NAT64 (`64:ff9b::/96`) translates to it.
    package var allowedPrivateNetworks: [IPNetwork] = []
    /// Whether the proxies in `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are used. Where a proxy connects to is
    /// not known: with one, only addresses in URLs are checked, not those of names.
    package var usesEnvironmentProxy = false
    /// How long the addresses of a name are cached.
    package var dnsCacheDuration: Duration = .seconds(60)
    /// The PEM file of the certificates that are trusted instead of the system's. If it cannot be read, every TLS
    /// connection fails.
    package var trustedCertificatesFile: String?
    /// Whether HTTP/2 is used with TLS servers that offer it.
    ///
    /// Each connection carries one fetch at a time: with several, libcurl 7.88.1 (Debian 12) sometimes stalls a stream until
    /// the low-speed limit ends it, in 6 of 30 bursts of 200 fetches against nghttpd 1.52; with one, in none of 900.
    package var allowsHTTP2 = true
    package var userAgent = "OneSheet/1.0"

    package init() {}

    /// The limits of the origins on this host.
    package func limits(forHost host: String, port: UInt16? = nil) -> OriginLimits {
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
    var minTransferTime: Duration { min(self.lowSpeedDuration, self.totalTimeout) / 2 }

    // MARK: Effective limits: at least four times those of any origin, so that no origin alone can exhaust them

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

/// Clocks, pauses and randomness of a fetcher, which tests replace.
struct FetchTiming: Sendable {
    /// A monotonic time in nanoseconds.
    var now: @Sendable () -> UInt64 = Uptime.nanoseconds
    /// The time of day, in seconds since 1970.
    var secondsSince1970: @Sendable () -> Int64 = AnchoredClock.wallSeconds
    /// A number from 0 to 1, for the jitter of pauses between attempts.
    var random: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// Used between attempts, and while the rate limit delays one.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Used for the total timeout.
    var waitForDeadline: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Used for the time after which stale addresses serve in place of a lookup.
    var waitForName: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The time until `deadline`, a time of ``now``; zero once it has passed.
    func timeLeft(until deadline: UInt64) -> Duration {
        .nanoseconds(deadline.subtractingClamped(self.now()))
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, so that a positive duration never becomes 0.
    var millisecondsRoundedUp: Int { Int(clamping: (self.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000) }

    var secondsRoundedUp: Int { (self.millisecondsRoundedUp + 999) / 1000 }
}

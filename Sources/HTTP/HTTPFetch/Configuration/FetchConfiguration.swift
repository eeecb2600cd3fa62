package import Flights
package import InternetAddress

/// The limits and policies of a ``Fetcher``.
public struct FetchConfiguration: Sendable, Hashable {
    /// Timeout of name resolution, connecting and the TLS handshake together, for each hop; 5 seconds by default.
    package var connectTimeout: Duration = .seconds(5)
    /// Timeout of a whole fetch, including its wait for a slot, redirects, retries and the body; 20 seconds by default.
    package var totalTimeout: Duration = .seconds(20)
    /// Minimum speed of a response in bytes per second; 0 allows any speed.
    package var lowSpeedBytesPerSecond = 1024
    /// How long a response may be slower than that, including the wait for its head, in whole seconds (rounded up).
    package var lowSpeedDuration: Duration = .seconds(10)
    /// Maximum size of a body in bytes, after content decoding; 32 MiB by default.
    package var maxBytes = 32 << 20
    /// Maximum size of a response's head in bytes, including the interim ones before it; 64 KiB by default.
    package var maxHeaderBytes = 64 << 10
    package var maxRedirects = 3
    /// Maximum number of concurrent fetches from all origins; more are rejected. The last quarter is reserved for
    /// ``Urgency/Level/interactive`` fetches. The effective value is at least four times the largest
    /// ``OriginLimits/maxFetches``, so that an origin that hangs leaves room for the others.
    package var maxTransfers = 128
    /// Maximum number of fetches that wait for a slot of their origin, for all origins together. The last quarter is
    /// reserved as for ``maxTransfers``. The effective value is at least four times the largest
    /// ``OriginLimits/maxWaiting``.
    package var maxWaiting = 1024
    /// Limits of origins without an entry in ``originLimitsByHost``; bounded by ``OriginLimits/presets``.
    package var originLimits = OriginLimits()
    /// Limits of the origins on these hosts, by name in lower case, or by name and port (`example.com:8080`), which
    /// takes precedence. Presets do not apply.
    package var originLimitsByHost: [String: OriginLimits] = [:]
    package var retry = RetryPolicy()
    package var breaker = BreakerPolicy()
    /// Maximum number of connections to all hosts, including idle ones, with the same lower bound as ``maxTransfers``.
    package var maxConnections = 64
    /// Whether addresses that are not public (loopback, private, link-local, …) may be connected to; for tests.
    ///
    /// Unspecified and multicast addresses are always refused.
    package var allowPrivateAddresses = false
    /// Hosts that may have private addresses: names, or addresses as written in URLs, in lower case.
    ///
    /// As with ``allowedPrivateNetworks``, redirects to them are followed only if the request's own host is one of
    /// them, or in one of those networks. A name may not resolve to a link-local address (which cloud metadata services
    /// use) unless that is in one of the networks.
    package var allowedPrivateHosts: Set<String> = []
    /// Private networks that may be connected to. An IPv4 network includes the IPv6 addresses that NAT64
    /// (`64:ff9b::/96`) translates to it.
    package var allowedPrivateNetworks: [IPNetwork] = []
    /// Whether to use the proxies in `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. A proxy resolves names
    /// itself: with one, only literal addresses in URLs are checked.
    package var usesEnvironmentProxy = false
    package var dnsCacheDuration: Duration = .seconds(60)
    /// A PEM file of trusted certificates, which replaces the system's. If it cannot be read, every TLS connection
    /// fails.
    package var trustedCertificatesFile: String?
    /// Whether HTTP/2 is used with TLS servers that offer it.
    ///
    /// Each connection carries one fetch at a time: with several, libcurl 7.88.1 (Debian 12) sometimes stalls a stream until
    /// the low-speed limit ends it, in 6 of 30 bursts of 200 fetches against nghttpd 1.52; with one, in none of 900.
    package var allowsHTTP2 = true
    package var userAgent = "OneSheet/1.0"

    package init() {}

    package func limits(forHost host: String, port: UInt16? = nil) -> OriginLimits {
        if let port, let limits = self.originLimitsByHost["\(host):\(port)"] { return limits }
        if let limits = self.originLimitsByHost[host] { return limits }
        return OriginLimits.presets[host].map { self.originLimits.within($0) } ?? self.originLimits
    }

    /// Maximum number of bytes of an unwanted body (a redirect's, an error page's) that are read to keep the
    /// connection; beyond that, reconnecting is cheaper.
    static let maxDiscardedBytes = 64 << 10

    /// Lower bound of the `retryAfter` of ``FetchError/overloaded(retryAfter:)``.
    static let minRetryAfter: Duration = .seconds(1)

    /// Minimum duration of a transfer for the total timeout to count as the origin's failure: half of
    /// ``lowSpeedDuration``, or of ``totalTimeout`` if that is less.
    var minTransferTime: Duration { min(self.lowSpeedDuration, self.totalTimeout) / 2 }

    // MARK: Effective limits: at least four times those of any origin, so that no origin alone can exhaust them

    private static let minOriginsToSaturate = 4

    var transferBound: Int { self.bound(self.maxTransfers, each: \.maxFetches) }

    var waitingBound: Int { self.bound(self.maxWaiting, each: \.maxWaiting) }

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
    /// Monotonic time in nanoseconds.
    var now: @Sendable () -> UInt64 = Uptime.nanoseconds
    var secondsSince1970: @Sendable () -> Int64 = AnchoredClock.wallSeconds
    /// A number from 0 to 1, for the jitter of pauses between attempts.
    var random: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// Used between attempts, and while the rate limit delays one.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Used for the total timeout.
    var waitForDeadline: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Used for the delay after which stale addresses are used instead of waiting for a lookup.
    var waitForName: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Returns the time until `deadline` on the clock ``now``; zero once it has passed.
    func timeLeft(until deadline: UInt64) -> Duration {
        .nanoseconds(deadline.subtractingClamped(self.now()))
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, so that a positive duration never becomes 0.
    var millisecondsRoundedUp: Int { Int(clamping: (self.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000) }

    var secondsRoundedUp: Int { (self.millisecondsRoundedUp + 999) / 1000 }
}

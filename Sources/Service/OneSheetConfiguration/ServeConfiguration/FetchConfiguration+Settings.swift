import HTTPFetch
import InternetAddress

extension FetchConfiguration {
    /// - Throws: ``SettingError``.
    init(_ settings: Settings) throws {
        self.init()
        self.userAgent = "OneSheet/\(ProductVersion.current)"
        self.allowPrivateAddresses = try settings.isOn("allow-private-origins")
        try self.allow(settings.texts("allow-private-origin"))
        self.usesEnvironmentProxy = try settings.isOn("fetch-proxy-from-environment")
        let seconds = 0.001...3600.0
        if let value = try settings.seconds("fetch-connect-timeout", in: seconds) { self.connectTimeout = value }
        if let value = try settings.seconds("fetch-timeout", in: seconds) { self.totalTimeout = value }
        if let value = try settings.number("fetch-low-speed", in: 1...1 << 30) { self.lowSpeedBytesPerSecond = value }
        if let value = try settings.seconds("fetch-low-speed-time", in: 1...3600) { self.lowSpeedDuration = value }
        if let value = try settings.byteCount("fetch-max-bytes") { self.maxBytes = value }
        if let value = try settings.number("fetch-max-redirects", in: 0...20) { self.maxRedirects = value }
        if let value = try settings.number("fetch-max-transfers", in: 1...10_000) { self.maxTransfers = value }
        if let value = try settings.number("fetch-retries", in: 0...10) { self.retry.maxRetries = value }
        try self.readOriginLimits(settings)
    }

    private mutating func readOriginLimits(_ settings: Settings) throws {
        if let value = try settings.number("origin-connections", in: 1...64) {
            self.originLimits.maxConnections = value
        }
        if let value = try settings.number("origin-fetches", in: 1...1000) { self.originLimits.maxFetches = value }
        if let value = try settings.number("origin-queue", in: 0...100_000) { self.originLimits.maxWaiting = value }
        if let value = try settings.number("origin-rate", in: 0...100_000) {
            self.originLimits.requestsPerSecond = value > 0 ? Double(value) : nil
        }
        if let value = try settings.number("breaker-failures", in: 1...10_000) { self.breaker.threshold = value }
        if let value = try settings.seconds("breaker-time", in: 0.001...3600) { self.breaker.duration = value }
    }

    /// Names of hosts and networks that may be private.
    private mutating func allow(_ texts: [String]) throws {
        for text in texts {
            if text.contains("/") || text.contains(":") {
                guard let network = IPNetwork(text) else {
                    throw SettingError(
                        option: "allow-private-origin", value: text,
                        allowed: "a host name, or a network such as 10.1.0.0/16, fd00::/8 or 64:ff9b::/96")
                }
                self.allowedPrivateNetworks.append(network)
            } else if let network = IPNetwork(text) {
                self.allowedPrivateNetworks.append(network)
            } else {
                self.allowedPrivateHosts.insert(text.lowercased())
            }
        }
    }
}

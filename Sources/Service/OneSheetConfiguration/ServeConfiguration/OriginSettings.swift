import Flights
import HTTPFetch
import InternetAddress
import MovieDomain
import PosterOrigins

extension FetchConfiguration {
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

    /// Adds hosts and networks that may have private addresses.
    private mutating func allow(_ texts: [String]) throws {
        for text in texts {
            if let network = IPNetwork(text) {
                self.allowedPrivateNetworks.append(network)
            } else if text.contains("/") || text.contains(":") {
                throw SettingError(
                    option: "allow-private-origin", value: text,
                    allowed: "a host name, or a network such as 10.1.0.0/16, fd00::/8 or 64:ff9b::/96")
            } else {
                self.allowedPrivateHosts.insert(text.lowercased())
            }
        }
    }
}

extension FetchConfiguration {
    /// Limits of a mirror of the iTunes Store: Apple's rate with a burst of one minute's requests.
    private static let iTunesMirror: OriginLimits = {
        var limits = OriginLimits.itunes
        limits.burst = 20
        return limits
    }()

    /// Applies the rate limits of sources to the hosts of their configured base URLs.
    ///
    /// Sources at the same host and port share the highest of their rates; there is no limit if one of them has none.
    mutating func applySourceRates(_ baseURLs: [MovieSource: String]) {
        var sources: [String: [MovieSource]] = [:]
        for (source, url) in baseURLs {
            // For example http://example.com:80
            guard let name = Fetcher.originName(of: url) else { continue }
            let place = name.drop { $0 != "/" }.drop { $0 == "/" }
            sources[String(place), default: []].append(source)
        }
        for (place, sources) in sources {
            let presets = sources.compactMap(Self.preset)
            guard presets.count == sources.count,
                let fastest = presets.max(by: { $0.requestsPerSecond ?? 0 < $1.requestsPerSecond ?? 0 })
            else { continue }
            var limits = self.originLimits.within(fastest)
            if self.originLimits.requestsPerSecond == nil { limits.burst = fastest.burst }
            self.originLimitsByHost[place] = limits
        }
    }

    private static func preset(of source: MovieSource) -> OriginLimits? {
        switch source {
        case .tmdb: .tmdb
        case .itunes: Self.iTunesMirror
        case .embedded, .omdb, .mdblist, .kobis, .kmdb, .kakao: nil
        }
    }
}

extension OriginCredentials {
    /// Parses `NAME:Header: value` for the given names; errors never contain a value.
    init(_ texts: [String], sources: Set<String>) throws {
        self.init()
        let names = sources.isEmpty ? "" : ": " + sources.sorted().joined(separator: ", ")
        let form = "NAME:Header: value, where NAME is the name of an --origin\(names)"
        for text in texts {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            let name = parts.first.map(String.init) ?? ""
            guard parts.count == 3, sources.contains(name) else {
                throw SettingError(option: "origin-header", value: SecretMask.mask, allowed: form)
            }
            let header = parts[1].drop { $0 == " " }
            let value = parts[2].drop { $0 == " " }
            guard self.add(name: String(header), value: String(value), to: name) else {
                throw SettingError(
                    option: "origin-header", value: "\(name):\(header.prefix(64)): \(value)",
                    allowed: "\(form); Header is a token and value holds no control characters")
            }
        }
    }
}

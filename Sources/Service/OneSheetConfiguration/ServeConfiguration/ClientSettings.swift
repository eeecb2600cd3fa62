import Flights
import HTTPServer
import InternetAddress
import PosterAPI
import PosterPipeline

extension ClientPolicy {
    init(_ settings: Settings) throws {
        self.init(proxies: try TrustedProxies(settings), rates: try Self.rates(settings))
    }

    private static func rates(_ settings: Settings) throws -> ClientRateLimiter? {
        let rate = try settings.number("client-rate", in: 0...1_000_000) ?? 0
        let burst = try settings.number("client-burst", in: 1...1_000_000)
        guard rate > 0 else {
            guard burst == nil else {
                throw SettingError(
                    option: "client-burst", value: settings.text("client-burst") ?? "",
                    allowed: "only together with --client-rate")
            }
            return nil
        }
        return ClientRateLimiter(
            ClientRateLimiter.Limit(rate: rate, burst: burst), isShared: settings.text("redis") != nil,
            now: Uptime.nanoseconds)
    }
}

extension SignUpRateLimiter.Limits {
    init(_ settings: Settings) throws {
        self.init()
        self.client = try Self.limit(settings, "new-token-rate", "new-token-burst", default: self.client)
        self.total = try Self.limit(settings, "new-token-total-rate", "new-token-total-burst", default: self.total)
    }

    private static func limit(
        _ settings: Settings, _ rate: String, _ burst: String, default own: ClientRateLimiter.Limit
    ) throws -> ClientRateLimiter.Limit {
        ClientRateLimiter.Limit(
            rate: try settings.number(rate, in: 1...1_000_000) ?? own.rate, inSeconds: own.seconds,
            burst: try settings.number(burst, in: 1...1_000_000) ?? own.burst)
    }
}

extension TrustedProxies {
    fileprivate init(_ settings: Settings) throws {
        self.init()
        for text in settings.texts("trusted-proxy") {
            if text == "unix" {
                self.includesUnixSocket = true
                continue
            }
            guard let network = IPNetwork(text), network.length > 0, !network.isOfMappedAddresses else {
                throw SettingError(
                    option: "trusted-proxy", value: text,
                    allowed:
                        "an address, a network such as 10.1.0.0/16 or fd00::/8 but not the whole Internet, or unix; "
                        + "IPv4 in dotted form, not within ::ffff:0:0/96")
            }
            self.networks.append(network)
        }
    }
}

extension IPNetwork {
    /// Whether no client matches the network: clients with IPv4-mapped addresses are identified by their IPv4
    /// addresses.
    fileprivate var isOfMappedAddresses: Bool {
        self.length >= 96 && self.address.unmapped != self.address
    }
}

extension ClientCaching {
    /// One year, in seconds, as RFC 2616 recommended.
    private static let mostSeconds = 31_536_000.0

    init(_ settings: Settings) throws {
        self.init()
        let range = 0...Self.mostSeconds
        self.maxAge = try settings.seconds("max-age", in: range) ?? self.maxAge
        self.provisionalMaxAge = try settings.seconds("provisional-max-age", in: range) ?? self.provisionalMaxAge
        self.staleWhileRevalidate =
            try settings.seconds("stale-while-revalidate", in: range) ?? self.staleWhileRevalidate
        self.staleIfError = try settings.seconds("client-stale-if-error", in: range) ?? self.staleIfError
    }
}

package struct ClientDeadlines: Sendable {
    /// Time for the head of a request, from its first byte. Default: 10 s
    package var header = Duration.seconds(10)
    /// Time for a client to read sent data. Default: 60 s
    package var send = Duration.seconds(60)
    /// Time that a connection may be idle. Default: 60 s
    package var idle = Duration.seconds(60)
    /// Time for requests in progress when the server stops. Default: 30 s
    package var stop = Duration.seconds(30)

    init(_ settings: Settings) throws {
        if let value = try settings.seconds("header-timeout", in: 0.1...3600) { self.header = value }
        if let value = try settings.seconds("send-timeout", in: 0.1...3600) { self.send = value }
        if let value = try settings.seconds("idle-timeout", in: 0.1...3600) { self.idle = value }
        if let value = try settings.seconds("stop-timeout", in: 0...3600) { self.stop = value }
    }
}

extension Settings {
    /// The format of the access log.
    /// - Returns: `nil` without an access log.
    func accessLog(_ option: String) throws -> LogFormat? {
        let allowed = (["off"] + LogFormat.allCases.map(\.rawValue)).joined(separator: ", ")
        return try self.valueOrOff(option, allowed: allowed, parse: LogFormat.init(rawValue:)) ?? nil
    }
}

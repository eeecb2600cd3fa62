import Flights
import HTTPServer
import InternetAddress
import PosterPipeline

extension ClientRules {
    /// - Throws: ``SettingError``.
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
        return ClientRateLimiter(ClientRateLimiter.Limit(rate: rate, burst: burst), now: Uptime.nanoseconds)
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
                        + "IPv4 as such, not within ::ffff:0:0/96")
            }
            self.networks.append(network)
        }
    }
}

extension IPNetwork {
    /// Whether it would never have anybody in it: IPv4 clients are known by their IPv4 addresses.
    fileprivate var isOfMappedAddresses: Bool {
        self.length >= 96 && self.address.unmapped != self.address
    }
}

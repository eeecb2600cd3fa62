import Glibc
import InternetAddress

/// The proxies in the environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, with libcurl's meaning.
///
/// Read here instead of by libcurl, because the ``AddressGuard`` must distinguish proxies' addresses from hosts'.
struct ProxySettings: Sendable {
    private let http: String?
    private let https: String?
    private let excluded: [String]

    /// - Parameter variable: Returns the value of an environment variable; `nil` if it is not set.
    init(variable: (String) -> String?) {
        func value(_ names: [String]) -> String? { names.compactMap(variable).first { !$0.isEmpty } }
        let all = value(["all_proxy", "ALL_PROXY"])
        // Not HTTP_PROXY: in a CGI program that is the request's `Proxy` header (httpoxy).
        self.http = value(["http_proxy"]) ?? all
        self.https = value(["https_proxy", "HTTPS_PROXY"]) ?? all
        self.excluded = (value(["no_proxy", "NO_PROXY"]) ?? "").lowercased()
            .split { $0 == "," || $0 == " " }.map(String.init)
    }

    static var current: ProxySettings {
        ProxySettings { getenv($0).map { String(cString: $0) } }
    }

    func proxy(for url: FetchURL) -> String? {
        guard let proxy = url.isTLS ? self.https : self.http else { return nil }
        return self.excluded.contains { Self.matches($0, url) } ? nil : Self.resolvingNames(proxy)
    }

    /// Selects the variant of SOCKS in which the proxy resolves names, as an HTTP proxy does.
    private static func resolvingNames(_ proxy: String) -> String {
        guard let separator = proxy.firstRange(of: "://") else { return proxy }
        switch proxy[..<separator.lowerBound].lowercased() {
        case "socks", "socks4": return "socks4a" + proxy[separator.lowerBound...]
        case "socks5": return "socks5h" + proxy[separator.lowerBound...]
        default: return proxy
        }
    }

    /// - Parameter pattern: `*`, a host, a domain with its subdomains, an address or a network.
    private static func matches(_ pattern: String, _ url: FetchURL) -> Bool {
        if pattern == "*" { return true }
        if let address = url.literalAddress { return IPNetwork(pattern)?.contains(address) ?? false }
        let domain = pattern.drop { $0 == "." }
        return !domain.isEmpty && (url.host == domain || url.host.hasSuffix(".\(domain)"))
    }
}

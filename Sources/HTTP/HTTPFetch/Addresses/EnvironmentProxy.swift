import Glibc
import InternetAddress

/// The proxies that the environment names, as libcurl and most others read it.
///
/// Read here and not by libcurl, because the guard has to know whether an address is a proxy's.
struct EnvironmentProxy: Sendable {
    private let http: String?
    private let https: String?
    private let excluded: [String]

    /// - Parameter variable: The value of a variable; nil when there is none.
    init(variable: (String) -> String?) {
        func value(_ names: [String]) -> String? { names.compactMap(variable).first { !$0.isEmpty } }
        let all = value(["all_proxy", "ALL_PROXY"])
        // Not HTTP_PROXY: in a CGI program that is a header of the request.
        self.http = value(["http_proxy"]) ?? all
        self.https = value(["https_proxy", "HTTPS_PROXY"]) ?? all
        self.excluded = (value(["no_proxy", "NO_PROXY"]) ?? "").lowercased()
            .split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// Of this process.
    static var current: EnvironmentProxy {
        EnvironmentProxy { getenv($0).map { String(cString: $0) } }
    }

    /// The URL of the proxy to use; nil for none.
    func proxy(for url: FetchURL) -> String? {
        guard let proxy = url.isTLS ? self.https : self.http else { return nil }
        return self.excluded.contains { Self.matches($0, url) } ? nil : Self.resolvingNames(proxy)
    }

    /// Has a SOCKS proxy look names up, as one of HTTP does: of the two forms of each version, one has libcurl do it.
    private static func resolvingNames(_ proxy: String) -> String {
        guard let separator = proxy.firstRange(of: "://") else { return proxy }
        switch proxy[..<separator.lowerBound].lowercased() {
        case "socks", "socks4": return "socks4a" + proxy[separator.lowerBound...]
        case "socks5": return "socks5h" + proxy[separator.lowerBound...]
        default: return proxy
        }
    }

    /// A host, a domain with all below it, an address or a network.
    private static func matches(_ pattern: String, _ url: FetchURL) -> Bool {
        if pattern == "*" { return true }
        if let address = url.literalAddress { return IPNetwork(pattern)?.contains(address) ?? false }
        let domain = pattern.drop { $0 == "." }
        return !domain.isEmpty && (url.host == domain || url.host.hasSuffix(".\(domain)"))
    }
}

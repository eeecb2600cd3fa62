import HTTPServer
import OneSheetConfiguration

/// Compares the options about proxies, TLS and the public URL with each other.
struct ProxyCheck {
    static let name = "proxy"

    let configuration: ServeConfiguration

    var check: ServiceCheck {
        ServiceCheck(Self.name) { self.results }
    }

    var results: [CheckResult] {
        let (listening, proxies) = (self.configuration.listening, self.configuration.clients.proxies)
        let hasProxy = !proxies.networks.isEmpty || proxies.includesUnixSocket
        let url = self.configuration.publicURL?.text
        let isSecure = url?.lowercased().hasPrefix("https://")
        var results: [CheckResult] = []
        func warn(_ subject: String, _ text: String) { results.append(CheckResult(.warning, subject, text)) }
        if isSecure == true, listening.tls == nil, !hasProxy {
            warn(
                "--trusted-proxy",
                "The public URL is https, but this server has no TLS: set --trusted-proxy to the proxy's address, "
                    + "otherwise all clients share the proxy's limits.")
        }
        if hasProxy, url == nil {
            warn(
                "--public-url",
                "A proxy is trusted, but no public URL is set: set --public-url to the address at which clients reach "
                    + "the proxy, otherwise cookies are not Secure and links of sign-ins are wrong.")
        }
        if hasProxy, isSecure == false {
            warn(
                "--public-url",
                "A proxy is trusted, but the public URL is http: use https, unless the proxy has no TLS either.")
        }
        if isSecure == false, listening.tls != nil {
            warn("--public-url", "This server has TLS, but its public URL is http: cookies are then not Secure.")
        }
        if proxies.includesUnixSocket, listening.unixSocketPath == nil {
            warn(
                "--trusted-proxy",
                "The proxy 'unix' is trusted, but --unix-socket is not set: only sockets of systemd can match it.")
        }
        guard results.isEmpty else { return results }
        return [
            CheckResult(
                .ok, "",
                url.map { "The public URL \($0) agrees with the other options." }
                    ?? "No public URL and no proxy are set: URLs in responses are relative.")
        ]
    }
}

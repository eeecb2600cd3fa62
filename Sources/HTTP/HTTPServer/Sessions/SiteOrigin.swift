import HTTPSemantics
import HTTPTypes
package import Hummingbird

/// The origin of the service: detects cross-site requests, and makes URLs absolute.
package struct SiteOrigin: Sendable {
    /// Where clients reach the server, as far as that is configured; in lower case.
    private let publicAuthority: String?
    /// Whether that is over TLS.
    private let isPublicSecure: Bool

    /// - Parameter publicURL: Where clients reach the server; nil when that is not configured.
    package init(_ publicURL: PublicURL?) {
        let base = publicURL.address(of: "/")
        self.isPublicSecure = base.hasPrefix("https://")
        self.publicAuthority = Self.authority(of: base)
    }

    /// Whether a page of another site made a browser send it.
    ///
    /// Browsers say so (Fetch Metadata, `Sec-Fetch-Site`); those that do not name the page's origin (RFC 6454) with every method that may
    /// change something. What says neither is no browser.
    package func isCrossSite(_ request: Request) -> Bool {
        if let site = request.headers[.fetchSite] { return !["same-origin", "none"].contains(site) }
        guard let origin = request.headers[.origin] else { return false }
        guard let authority = Self.authority(of: origin) else { return true }
        let own = request.head.authority.flatMap { Self.authority(of: origin.prefix { $0 != ":" } + "://" + $0) }
        return authority != own && authority != self.publicAuthority
    }

    /// Whether the client connects over TLS, as far as the configuration and the connection show.
    package func isSecure(_ context: ServerRequestContext) -> Bool {
        self.isPublicSecure || context.client?.isSecure == true
    }

    /// Where the client reaches a resource. An answer that says it has the ``variance``.
    ///
    /// - Parameter target: Path and query, or a whole URL already.
    /// - Returns: `target` where the request names no host that URLs can have.
    package func absolute(_ target: String, for request: Request, _ context: ServerRequestContext) -> String {
        guard target.hasPrefix("/"), let named = request.head.authority else { return target }
        let isSecure = self.isSecure(context)
        do throws(RemoteURL.Malformed) {
            let authority = try URLAuthority(Substring(named), isTLS: isSecure)
            return (isSecure ? "https://" : "http://") + authority.text + target
        } catch {
            return target
        }
    }

    /// The value of `Vary` of answers that name the host by which they were asked for; nil where it is configured.
    package var variance: String? { self.publicAuthority == nil ? "Host" : nil }

    /// Host and port in lower case, without the scheme's own port; nil for what has none.
    private static func authority(of url: some StringProtocol) -> String? {
        let url = url.lowercased()
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where url.hasPrefix(scheme) {
            let authority = url.dropFirst(scheme.count).prefix { $0 != "/" }
            guard !authority.isEmpty else { return nil }
            return String(authority.hasSuffix(port) ? authority.dropLast(port.count) : authority)
        }
        return nil
    }
}

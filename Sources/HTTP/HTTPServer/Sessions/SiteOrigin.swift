package import HTTPSemantics
import HTTPTypes
package import Hummingbird

/// The origin of the service: detects cross-site requests, and makes URLs absolute.
package struct SiteOrigin: Sendable {
    /// The configured public host and port, in lower case; `nil` if no public URL is configured.
    private let publicAuthority: String?
    /// Whether the public URL uses TLS.
    private let isPublicSecure: Bool

    package init(_ publicURL: PublicURL?) {
        let base = publicURL.address(of: "/")
        self.isPublicSecure = base.hasPrefix("https://")
        self.publicAuthority = Self.authority(of: base)
    }

    /// Whether a page of another site made a browser send the request.
    ///
    /// Browsers report it (Fetch Metadata, `Sec-Fetch-Site`); older ones send the page's origin (RFC 6454) with every
    /// method that may change something. A client that sends neither is not a browser.
    package func isCrossSite(_ request: Request) -> Bool {
        if let site = request.headers[.fetchSite] { return !["same-origin", "none"].contains(site) }
        guard let origin = request.headers[.origin] else { return false }
        guard let authority = Self.authority(of: origin) else { return true }
        let own = request.head.authority.flatMap { Self.authority(of: origin.prefix { $0 != ":" } + "://" + $0) }
        return authority != own && authority != self.publicAuthority
    }

    /// Browsers send the origin with every form.
    ///
    /// - Parameter needsOrigin: Whether a request without an origin is rejected too.
    /// - Throws: ``Problem`` of the kind `cross-site`.
    package func checkForm(_ request: Request, needsOrigin: Bool) throws(Problem) {
        let hasOrigin = request.headers[.fetchSite] != nil || request.headers[.origin] != nil
        guard !self.isCrossSite(request), hasOrigin || !needsOrigin else {
            throw Problem(.crossSite, "a page of another site cannot change data of this site")
        }
    }

    /// Whether the client connects over TLS, as far as the configuration and the connection show.
    package func isSecure(_ context: ServerRequestContext) -> Bool {
        self.isPublicSecure || context.client?.isSecure == true
    }

    /// Returns a resource's URL for the client. A response that contains it has the ``variance``.
    ///
    /// - Parameter target: Path and query, or a complete URL.
    /// - Returns: `target` if the request's host is missing, or invalid in URLs.
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

    /// The value of `Vary` of responses that contain the requested host; `nil` if the host is configured.
    package var variance: String? { self.publicAuthority == nil ? "Host" : nil }

    /// Host and port in lower case, without the scheme's default port; `nil` if there is none.
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

import BoundedCache
import Flights
import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// Files for search engines: `/robots.txt`; and `/sitemap.xml`, if the site's public URL is known.
struct SearchEngineFiles: Sendable {
    /// In seconds.
    private static let lifetime = 3600
    /// Lifetime of a site map without the films of a failing source, in seconds.
    private static let briefLifetime = 60
    /// Excludes visitors' own pages, and pages without end.
    private static let rules = """
        User-agent: *
        Disallow: /my/
        Disallow: /sign-in
        Disallow: /search
        Disallow: /badges
        Disallow: /offline
        Disallow: /*part=1

        """

    private let site: Website
    private let robots: WebAssets.Asset
    private let sitemaps = BoundedCache<SitemapKey, WebAssets.Asset>(
        countLimit: 1, timeToLive: .seconds(Self.lifetime), now: Uptime.nanoseconds)
    private let flights = SingleFlight<SitemapKey, WebAssets.Asset>()

    /// There is one site map.
    private struct SitemapKey: Hashable, Sendable {}

    init(_ site: Website) {
        self.site = site
        let sitemap = site.useCases.publicURL.map { "\nSitemap: \($0.text)\(Sitemap.path)\n" }
        self.robots = WebAssets.Asset(
            Array((Self.rules + (sitemap ?? "")).utf8), type: "text/plain; charset=utf-8",
            caching: "public, max-age=\(Self.lifetime)")
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get("/robots.txt") { request, _ in self.robots.response(to: request) }
        // A site map must have absolute URLs (sitemaps.org).
        guard let publicURL = self.site.useCases.publicURL else { return }
        router.get(RouterPath(Sitemap.path)) { request, context in
            if let stored = self.sitemaps.value(for: SitemapKey()) { return stored.response(to: request) }
            let sitemap = try await context.whileClientPresent {
                try await self.flights.value(for: SitemapKey()) { _ in try await self.sitemap(publicURL) }.value
            }
            return sitemap.response(to: request)
        }
    }

    private func sitemap(_ publicURL: PublicURL) async throws -> WebAssets.Asset {
        let services = self.site.services
        let sitemap = try await Sitemap(
            publicURL, catalogue: services.catalogue, language: LanguagePreference([services.defaultLanguage]),
            region: services.defaultRegion)
        let file = WebAssets.Asset(
            Array(sitemap.xml.utf8), type: "application/xml; charset=utf-8",
            caching: "public, max-age=\(sitemap.isWhole ? Self.lifetime : Self.briefLifetime)")
        if sitemap.isWhole { self.sitemaps.insert(file, for: SitemapKey()) }
        return file
    }
}

import HTTPSemantics
import MovieDomain

/// How long responses of an upstream are fresh, and how long stale ones are used.
package struct UpstreamLifetimes: Sendable, Hashable {
    /// Freshness without a lifetime of the request or the upstream, `1 h` by default.
    package var fresh: Duration = .seconds(3600)
    /// Bounds of the upstream's `Cache-Control` lifetimes, `1 min` to `24 h` by default.
    package var bounds: ClosedRange<Duration> = .seconds(60) ... .seconds(86_400)
    /// Whether the upstream's `Cache-Control` (RFC 9111) counts at all, `true` by default.
    package var respectsCacheControl = true
    /// How long a stale response is used while it is revalidated, and while the upstream fails (RFC 5861), `7 days` by default.
    package var stale: Duration = .seconds(7 * 86_400)
    /// How long no revalidation follows one that failed, `30 s` by default.
    package var staleRetryInterval: Duration = .seconds(30)
    /// Freshness of a ``ResponseClassification/uncertain`` response, in memory alone, `30 s` by default.
    package var uncertain: Duration = .seconds(30)
    /// Freshness of the fact that there is no such thing, and how far apart the upstream must say so twice before it replaces a
    /// response, `5 min` by default.
    package var missing: Duration = .seconds(300)
    /// Age at which a response is deleted, whatever else holds, `180 days` by default: TMDB allows six months.
    package var maxAge: Duration = .seconds(180 * 86_400)

    package init() {}

    /// Fresh for a day whatever the upstream sends, which is no `Cache-Control` worth respecting.
    package static var daily: UpstreamLifetimes {
        var lifetimes = UpstreamLifetimes()
        lifetimes.respectsCacheControl = false
        lifetimes.fresh = .seconds(86_400)
        return lifetimes
    }

    /// Until when a response is used although it is stale.
    func staleUntil(freshUntil: Instant, storedAt: Instant) -> Instant {
        min(freshUntil.adding(self.stale), storedAt.adding(self.maxAge))
    }

    /// The freshness lifetime of a response.
    ///
    /// - Parameter requested: The request's; nil for ``fresh``.
    /// - Returns: nil when it must not be stored.
    func freshness(of response: UpstreamResponse, requested: Duration?) -> Duration? {
        let usual = requested ?? self.fresh
        guard self.respectsCacheControl, let directives = response.cacheControl.map(FieldSyntax.directives) else {
            return usual
        }
        if directives["no-store"] != nil { return nil }
        guard directives["no-cache"] == nil else { return self.bounds.lowerBound }
        // s-maxage is for shared caches, as this is one (RFC 9111, 5.2.2.10).
        guard let seconds = (directives["s-maxage"] ?? directives["max-age"]).flatMap({ Int64($0) }) else {
            return usual
        }
        return min(max(.seconds(min(seconds, 1 << 31)), self.bounds.lowerBound), self.bounds.upperBound)
    }
}

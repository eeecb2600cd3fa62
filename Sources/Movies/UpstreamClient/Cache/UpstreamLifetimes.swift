import HTTPSemantics
import MovieDomain

/// Freshness and stale lifetimes of an upstream's responses.
package struct UpstreamLifetimes: Sendable, Hashable {
    /// The freshness lifetime if neither the request nor the upstream states one, `1 h` by default.
    package var fresh: Duration = .seconds(3600)
    /// Bounds of the upstream's `Cache-Control` lifetimes, `1 min` to `24 h` by default.
    package var bounds: ClosedRange<Duration> = .seconds(60) ... .seconds(86_400)
    /// Whether the upstream's `Cache-Control` (RFC 9111) is respected, `true` by default.
    package var respectsCacheControl = true
    /// How long a stale response is used during revalidation and failures of the upstream (RFC 5861), `7 days` by
    /// default.
    package var stale: Duration = .seconds(7 * 86_400)
    /// The pause after a failed revalidation, `30 s` by default.
    package var staleRetryInterval: Duration = .seconds(30)
    /// The freshness lifetime of a ``ResponseClassification/uncertain`` response, in memory only, `30 s` by default.
    package var uncertain: Duration = .seconds(30)
    /// The freshness lifetime of a missing resource, and the minimal interval between two reports of it before it
    /// replaces a stored response, `5 min` by default.
    package var missing: Duration = .seconds(300)
    /// The age at which every response is deleted, `180 days` by default: TMDB allows six months.
    package var maxAge: Duration = .seconds(180 * 86_400)

    package init() {}

    /// Freshness of one day; ignores `Cache-Control`, which is of no use for these upstreams.
    package static var daily: UpstreamLifetimes {
        var lifetimes = UpstreamLifetimes()
        lifetimes.respectsCacheControl = false
        lifetimes.fresh = .seconds(86_400)
        return lifetimes
    }

    /// The end of a response's use while it is stale.
    func staleUntil(freshUntil: Instant, storedAt: Instant) -> Instant {
        min(freshUntil.adding(self.stale), storedAt.adding(self.maxAge))
    }

    /// The freshness lifetime of a response.
    ///
    /// - Parameter requested: The request's lifetime; `nil` for ``fresh``.
    /// - Returns: `nil` if the response must not be stored.
    func freshness(of response: UpstreamResponse, requested: Duration?) -> Duration? {
        let usual = requested ?? self.fresh
        guard self.respectsCacheControl, let directives = response.cacheControl.map(FieldSyntax.directives) else {
            return usual
        }
        if directives["no-store"] != nil { return nil }
        guard directives["no-cache"] == nil else { return self.bounds.lowerBound }
        // This is a shared cache, for which s-maxage takes precedence (RFC 9111, 5.2.2.10).
        guard let value = directives["s-maxage"] ?? directives["max-age"] else { return usual }
        // Unreadable values count as stale (RFC 9111, 4.2.1).
        let seconds = FieldSyntax.seconds(value) ?? 0
        return min(max(.seconds(seconds), self.bounds.lowerBound), self.bounds.upperBound)
    }
}

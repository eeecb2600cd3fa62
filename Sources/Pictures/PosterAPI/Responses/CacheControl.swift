import PosterPipeline

/// `Cache-Control` of posters (RFC 9111, 5.2.2; RFC 5861; RFC 8246).
package struct CacheControl: Sendable {
    /// `max-age` of a stale response, of a response with another version than the URL's, and of badges that may change
    /// soon, in seconds.
    private static let shortSeconds: Int64 = 60
    /// `max-age` of a versioned URL, in seconds: a year.
    private static let versionSeconds: Int64 = 31_536_000
    /// The maximum `max-age` by a film's age, in seconds: the original may change meanwhile.
    private static let mostScoreSeconds: Int64 = 30 * 86_400
    /// The maximum `max-age`, in seconds (RFC 9111, 1.2.2).
    static let mostSeconds: Int64 = 1 << 31
    /// The number of values that `max-age` takes as a response ages, so that serialized heads can be reused.
    private static let stepCount: Int64 = 8

    /// The freshness lifetime of a response.
    struct Lifetime: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case current
            /// The bytes have the URL's version: immutable.
            case version
            /// A smaller response in another format will replace it.
            case provisional
            /// Stale, of another version than the URL's, without scores or expiring with a signature: to be revalidated
            /// soon.
            case short
        }

        let kind: Kind
        /// Counted from the origin's last validation if the response has an `Age`, else from now on.
        let seconds: Int64
        /// The maximum `Age`, in seconds.
        let ageLimit: Int64
    }

    private let maxSeconds: Int64
    private let provisionalSeconds: Int64
    private let currentEnd: String

    package init(_ caching: ClientCaching) {
        self.maxSeconds = max(0, caching.maxAge.components.seconds)
        self.provisionalSeconds = min(self.maxSeconds, max(0, caching.provisionalMaxAge.components.seconds))
        var end = ""
        for (name, duration) in [
            ("stale-while-revalidate", caching.staleWhileRevalidate), ("stale-if-error", caching.staleIfError),
        ] where duration.components.seconds > 0 {
            end += ", \(name)=\(duration.components.seconds)"
        }
        self.currentEnd = end
    }

    /// - Parameters:
    ///   - version: The first digits of the original's digest in the URL; `nil` without a version.
    ///   - badges: How long the badges stay the same.
    ///   - badgeSeconds: Replaces the configured lifetime; `nil` for that.
    func lifetime(
        of provenance: Provenance, version: String?, badges: BadgeFreshness = .fixed, badgeSeconds: Int64? = nil
    ) -> Lifetime {
        // Counted from now on: the scores expire, not the original.
        guard badges != .pending else {
            return Lifetime(kind: .short, seconds: min(self.maxSeconds, Self.shortSeconds), ageLimit: 0)
        }
        let isOtherVersion = version.map { provenance.original?.digest.begins(with: $0) != true } ?? false
        let (kind, seconds): (Lifetime.Kind, Int64)
        if provenance.staleness != nil || isOtherVersion {
            (kind, seconds) = (.short, min(self.maxSeconds, Self.shortSeconds))
        } else if provenance.isProvisional {
            // Counted from now on, for caches that ignore `Age`: the format expires, not the original.
            return Lifetime(kind: .provisional, seconds: self.provisionalSeconds, ageLimit: 0)
        } else if let badgeSeconds {
            return Lifetime(kind: .current, seconds: min(badgeSeconds, Self.mostScoreSeconds), ageLimit: 0)
        } else {
            // The version is the original's: scores change without it.
            let isLasting = version != nil && badges == .fixed
            (kind, seconds) = isLasting ? (.version, Self.versionSeconds) : (.current, self.maxSeconds)
        }
        // Caches subtract `Age`, so it is added here, rounded down to a step so that the text stays the same during a
        // step: more than 7/8 of the lifetime always remain. Both are limited to the lifetime: caches that ignore
        // `Age`, as nginx does, store nothing for more than twice as long.
        let step = max(1, seconds / Self.stepCount)
        let age = min(provenance.original?.age ?? 0, seconds) / step * step
        return Lifetime(kind: kind, seconds: min(seconds + age, Self.mostSeconds), ageLimit: seconds)
    }

    /// The lifetime, limited to the signature's expiry; then without `stale-while-revalidate`.
    ///
    /// With a signature it counts from now on, without `Age`: caches that ignore that field, as nginx does, would store
    /// the response beyond the expiry.
    ///
    /// - Parameters:
    ///   - expires: When the signature expires, in seconds since 1970; `nil` if never.
    ///   - now: Seconds since 1970.
    func lifetime(
        of provenance: Provenance, version: String?, badges: BadgeFreshness = .fixed, badgeSeconds: Int64? = nil,
        expires: Int64?, now: Int64
    ) -> Lifetime {
        let lifetime = self.lifetime(
            of: provenance, version: version, badges: badges, badgeSeconds: badgeSeconds)
        guard let expires else { return lifetime }
        let age = min(provenance.original?.age ?? 0, lifetime.ageLimit)
        let (fresh, left) = (lifetime.seconds - age, expires - now)
        return Lifetime(kind: .short, seconds: max(0, min(fresh, left)), ageLimit: 0)
    }

    func value(_ lifetime: Lifetime) -> String {
        let start = "public, max-age=\(lifetime.seconds)"
        return switch lifetime.kind {
        case .current, .provisional: start + self.currentEnd
        case .version: start + ", immutable"
        case .short: start
        }
    }
}

extension Provenance {
    /// The response's `Age` (RFC 9111, 5.1), in seconds; `nil` if it is unknown, or if the lifetime counts from now on.
    ///
    /// - Parameter expires: When the signature expires, in seconds since 1970; `nil` if never.
    func age(in lifetime: CacheControl.Lifetime, expires: Int64?) -> Int64? {
        guard expires == nil, lifetime.kind != .provisional else { return nil }
        return self.original?.age.map { min($0, lifetime.ageLimit) }
    }
}

/// The configured lifetimes of posters in clients and shared caches (RFC 9111, 5.2.2; RFC 5861).
package struct ClientCaching: Hashable, Sendable {
    /// `max-age`; a day by default.
    package var maxAge: Duration = .seconds(86_400)
    /// `max-age` of a response that another format will replace; a minute by default, never more than ``maxAge``.
    package var provisionalMaxAge: Duration = .seconds(60)
    /// `stale-while-revalidate`; a day by default, zero omits it.
    package var staleWhileRevalidate: Duration = .seconds(86_400)
    /// `stale-if-error`; 7 days by default, zero omits it.
    package var staleIfError: Duration = .seconds(604_800)

    package init() {}
}

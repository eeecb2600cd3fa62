import PosterPipeline

/// `Cache-Control` of posters (RFC 9111, 5.2.2; RFC 5861; RFC 8246).
package struct CacheControl: Sendable {
    /// For how long others may keep what has a successor soon, or is not what the URL names, in seconds.
    private static let shortSeconds: Int64 = 60
    /// For how long what never changes under its URL, in seconds: a year.
    private static let versionSeconds: Int64 = 31_536_000
    /// The largest number of seconds that is said (RFC 9111, 1.2.2).
    static let mostSeconds: Int64 = 1 << 31
    /// In so many steps of its lifetime an answer of a given age says something else.
    private static let stepCount: Int64 = 8

    /// What an answer says of how long it may be kept.
    struct Lifetime: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// It is current, for all that is known.
            case current
            /// The URL names these very bytes.
            case version
            /// It is older than its origin allows, or the URL names other bytes, or holds for a time only: caches are to ask
            /// again soon.
            case short
        }

        let kind: Kind
        /// From the moment on when the origin confirmed the original, if `Age` is told of it, else from now on.
        let seconds: Int64
        /// The most that `Age` tells, in seconds.
        let ageLimit: Int64
    }

    private let maxSeconds: Int64
    private let currentEnd: String

    package init(_ caching: ClientCaching) {
        self.maxSeconds = max(0, caching.maxAge.components.seconds)
        var end = ""
        for (name, duration) in [
            ("stale-while-revalidate", caching.staleWhileRevalidate), ("stale-if-error", caching.staleIfError),
        ] where duration.components.seconds > 0 {
            end += ", \(name)=\(duration.components.seconds)"
        }
        self.currentEnd = end
    }

    /// - Parameter version: The digits that the URL says the original's digest begins with; nil without any.
    func lifetime(of provenance: Provenance, version: String?) -> Lifetime {
        let kind: Lifetime.Kind
        if provenance.staleness != nil {
            kind = .short
        } else if let version {
            kind = provenance.original?.digest.begins(with: version) == true ? .version : .short
        } else {
            kind = .current
        }
        let seconds =
            switch kind {
            case .current: self.maxSeconds
            case .version: Self.versionSeconds
            case .short: min(self.maxSeconds, Self.shortSeconds)
            }
        // Caches subtract `Age`. What they would lose by it is added, rounded down, so that the text stays the same for
        // a step: more than 7/8 of the lifetime is always left. No more than the lifetime itself is told and added: caches
        // that ignore `Age`, as nginx does, keep nothing for more than twice as long.
        let step = max(1, seconds / Self.stepCount)
        let age = min(provenance.original?.age ?? 0, seconds) / step * step
        return Lifetime(kind: kind, seconds: min(seconds + age, Self.mostSeconds), ageLimit: seconds)
    }

    /// As long as the right to the answer lasts, and no longer: neither may it be shown while it is asked for again.
    ///
    /// From now on, and told without `Age`: caches that ignore that field, as nginx does, would add it to the right.
    ///
    /// - Parameters:
    ///   - expires: When the right ends, in seconds since 1970; nil for never.
    ///   - now: In seconds since 1970.
    func lifetime(of provenance: Provenance, version: String?, expires: Int64?, now: Int64) -> Lifetime {
        let lifetime = self.lifetime(of: provenance, version: version)
        guard let expires else { return lifetime }
        let age = min(provenance.original?.age ?? 0, lifetime.ageLimit)
        let (fresh, left) = (lifetime.seconds - age, expires - now)
        return Lifetime(kind: .short, seconds: max(0, min(fresh, left)), ageLimit: 0)
    }

    func value(_ lifetime: Lifetime) -> String {
        let start = "public, max-age=\(lifetime.seconds)"
        return switch lifetime.kind {
        case .current: start + self.currentEnd
        case .version: start + ", immutable"
        case .short: start
        }
    }
}

extension Provenance {
    /// `Age` of an answer (RFC 9111, 5.1), in seconds; nil when there is nothing to tell, and where the answer's lifetime counts
    /// from now on.
    ///
    /// - Parameter expires: When the right to the answer ends, in seconds since 1970; nil for never.
    func age(in lifetime: CacheControl.Lifetime, expires: Int64?) -> Int64? {
        expires == nil ? self.original?.age.map { min($0, lifetime.ageLimit) } : nil
    }
}

/// For how long clients and caches on the way may keep posters (RFC 9111, 5.2.2; RFC 5861).
public struct ClientCaching: Hashable, Sendable {
    /// While it is taken for current; a day.
    public var maxAge: Duration = .seconds(86_400)
    /// After that, while the next one is asked for; a day. Zero leaves it out.
    public var staleWhileRevalidate: Duration = .seconds(86_400)
    /// After that, when there is an error instead of the next one; 7 days. Zero leaves it out.
    public var staleIfError: Duration = .seconds(604_800)

    /// The defaults.
    public init() {}
}

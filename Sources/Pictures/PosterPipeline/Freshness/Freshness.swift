import HTTPSemantics

/// For how long an original may be used without asking its origin again (RFC 9111, 4.2).
///
/// Kept as an age and a lifetime rather than as a moment of expiry, so that a clock that was wrong once cannot keep an
/// original for ever.
public struct Freshness: Hashable, Sendable {
    /// When the origin last said that these bytes are its current ones, in seconds since 1970.
    package var validatedAt: Int64
    /// For how many seconds from then on they are fresh.
    package var lifetime: Int64

    /// Fresh for `lifetime` seconds from `validatedAt` on.
    package init(validatedAt: Int64, lifetime: Int64) {
        self.validatedAt = validatedAt
        self.lifetime = max(0, lifetime)
    }

    /// Seconds since it was fresh; negative as long as it is.
    package func staleness(at now: Int64) -> Int64 {
        let (age, overflow) = now.subtractingReportingOverflow(self.validatedAt)
        let (staleness, isUnder) = age.subtractingReportingOverflow(self.lifetime)
        return overflow ? .max : isUnder ? .min : staleness
    }

    package func isFresh(at now: Int64) -> Bool { self.staleness(at: now) < 0 }

    /// Whether it is of what never changes under its name.
    var isUnlimited: Bool { self.lifetime >= Self.unlimitedLifetime }

    /// In seconds: longer than any ceiling.
    private static let unlimitedLifetime: Int64 = 1 << 40

    /// Of what never changes under its name.
    static func unlimited(from now: Int64) -> Freshness {
        Freshness(validatedAt: now, lifetime: Self.unlimitedLifetime)
    }

    /// Seconds since the origin last said that the bytes are its current ones; nil for what never changes.
    func age(at now: Int64) -> Int64? {
        guard !self.isUnlimited else { return nil }
        let (age, overflow) = now.subtractingReportingOverflow(self.validatedAt)
        return overflow ? nil : max(0, age)
    }

    /// The same freshness when a clock that was ahead has been set back since: what was validated "in the future"
    /// counts as validated now. It neither expires early nor lasts longer than its lifetime from now.
    package func settled(at now: Int64) -> Freshness {
        self.validatedAt > now ? Freshness(validatedAt: now, lifetime: self.lifetime) : self
    }
}

/// How long originals are used without asking, and how long although their origin cannot be asked.
public struct FreshnessPolicy: Hashable, Sendable {
    /// The least that an original is fresh for, whatever its origin says, in seconds; an hour.
    package var minimum: Int64 = 3600
    /// The most; 30 days.
    package var maximum: Int64 = 30 * 86_400
    /// For origins that do not say; 7 days.
    package var fallback: Int64 = 7 * 86_400
    /// For how many seconds after that an original is served at once while it is asked for behind, and served on when
    /// the origin fails (RFC 5861); 30 days.
    package var staleIfError: Int64 = 30 * 86_400

    package init() {}

    /// The freshness of what arrived at `now`.
    func freshness(of fields: CachingFields, at now: Int64) -> Freshness {
        guard let lifetime = fields.lifetime(receivedAt: now) else {
            return Freshness(validatedAt: now, lifetime: self.bounded(self.fallback))
        }
        // RFC 9111, 4.2.3; without the time that the response took, which is limited to seconds.
        let apparentAge = fields.date.map { max(0, now - $0) } ?? 0
        let age = max(apparentAge, fields.age ?? 0)
        return Freshness(validatedAt: now, lifetime: self.bounded(lifetime - min(age, lifetime)))
    }

    /// Within floor and ceiling.
    func bounded(_ seconds: Int64) -> Int64 {
        max(self.minimum, min(seconds, self.maximum))
    }
}

/// The fields of a response that decide how long it may be used (RFC 9111, 5). Dates are in seconds since 1970.
public struct CachingFields: Hashable, Sendable {
    /// `Cache-Control`, its lines joined by commas.
    package var cacheControl: String?
    /// `Expires`; a date in the past for one that cannot be read, which the RFC wants it taken for.
    package var expires: Int64?
    /// `Date`; nil for one that cannot be read.
    package var date: Int64?
    /// `Age`: seconds that the response has spent in caches on the way.
    package var age: Int64?

    /// None, unless given.
    public init(cacheControl: String? = nil, expires: Int64? = nil, date: Int64? = nil, age: Int64? = nil) {
        self.cacheControl = cacheControl
        self.expires = expires
        self.date = date
        self.age = age
    }

    /// Whether the response says for how long it is fresh.
    var saysLifetime: Bool { self.lifetime(receivedAt: 0) != nil }

    /// For how many seconds the response is fresh from the moment it was made, by its own word; nil when it says nothing.
    ///
    /// `s-maxage` before `max-age` before `Expires` (RFC 9111, 4.2.1). `no-store` and `no-cache` count as 0: the
    /// operator's floor decides how often such an origin is asked.
    ///
    /// - Parameter now: Stands in for a `Date` that is missing (RFC 9110, 6.6.1).
    func lifetime(receivedAt now: Int64) -> Int64? {
        let directives = FieldSyntax.directives(self.cacheControl ?? "")
        if directives["no-store"] != nil || directives["no-cache"] != nil { return 0 }
        for name in ["s-maxage", "max-age"] {
            guard let value = directives[name] else { continue }
            return FieldSyntax.seconds(value) ?? 0  // what cannot be read counts as stale (RFC 9111, 4.2.1)
        }
        guard let expires else { return nil }
        let (lifetime, overflow) = expires.subtractingReportingOverflow(self.date ?? now)
        return overflow ? 0 : max(0, lifetime)
    }
}

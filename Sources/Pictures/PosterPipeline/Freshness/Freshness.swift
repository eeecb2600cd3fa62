import HTTPSemantics

/// The time for which an original may be used without revalidation (RFC 9111, 4.2).
///
/// Stored as an age and a lifetime rather than as an expiry time, so that a clock that was wrong once cannot keep an
/// original for ever.
public struct Freshness: Hashable, Sendable {
    /// When the origin last confirmed these bytes, in seconds since 1970.
    package var validatedAt: Int64
    /// Freshness lifetime in seconds, from ``validatedAt`` on.
    package var lifetime: Int64

    /// Creates a freshness; a negative lifetime counts as 0.
    package init(validatedAt: Int64, lifetime: Int64) {
        self.validatedAt = validatedAt
        self.lifetime = max(0, lifetime)
    }

    /// Seconds since the end of the lifetime; negative while fresh.
    package func staleness(at now: Int64) -> Int64 {
        let (age, overflow) = now.subtractingReportingOverflow(self.validatedAt)
        let (staleness, isUnder) = age.subtractingReportingOverflow(self.lifetime)
        return overflow ? .max : isUnder ? .min : staleness
    }

    package func isFresh(at now: Int64) -> Bool { self.staleness(at: now) < 0 }

    /// Whether the bytes never change at their location.
    var isUnlimited: Bool { self.lifetime >= Self.unlimitedLifetime }

    /// In seconds; exceeds any configurable maximum.
    private static let unlimitedLifetime: Int64 = 1 << 40

    /// The freshness of bytes that never change at their location.
    static func unlimited(from now: Int64) -> Freshness {
        Freshness(validatedAt: now, lifetime: Self.unlimitedLifetime)
    }

    /// Seconds since the origin last confirmed the bytes; `nil` if they never change.
    func age(at now: Int64) -> Int64? {
        guard !self.isUnlimited else { return nil }
        let (age, overflow) = now.subtractingReportingOverflow(self.validatedAt)
        return overflow ? nil : max(0, age)
    }

    /// The same freshness after a clock that was ahead has been corrected: a validation "in the future"
    /// counts as one at `now`. It neither expires early nor lasts longer than its lifetime from now.
    package func settled(at now: Int64) -> Freshness {
        self.validatedAt > now ? Freshness(validatedAt: now, lifetime: self.lifetime) : self
    }
}

/// How long originals are used without revalidation, and how long if their origin fails.
public struct FreshnessPolicy: Hashable, Sendable {
    /// Minimum lifetime, whatever the origin declares, in seconds; an hour by default.
    package var minimum: Int64 = 3600
    /// Maximum lifetime in seconds; 30 days by default.
    package var maximum: Int64 = 30 * 86_400
    /// Lifetime in seconds if the origin declares none; 7 days by default.
    package var fallback: Int64 = 7 * 86_400
    /// Seconds after the lifetime during which an original is served at once while it is revalidated in the background,
    /// and during which it is served if the origin fails (RFC 5861); 30 days by default.
    package var staleIfError: Int64 = 30 * 86_400

    package init() {}

    func freshness(of fields: CachingFields, at now: Int64) -> Freshness {
        guard let lifetime = fields.lifetime(receivedAt: now) else {
            return Freshness(validatedAt: now, lifetime: self.bounded(self.fallback))
        }
        // RFC 9111, 4.2.3, without the response delay, which is limited to seconds.
        let apparentAge = fields.date.map { max(0, now - $0) } ?? 0
        let age = max(apparentAge, fields.age ?? 0)
        return Freshness(validatedAt: now, lifetime: self.bounded(lifetime - min(age, lifetime)))
    }

    func bounded(_ seconds: Int64) -> Int64 {
        max(self.minimum, min(seconds, self.maximum))
    }
}

/// The fields of a response that determine its freshness (RFC 9111, 5). Dates are in seconds since 1970.
public struct CachingFields: Hashable, Sendable {
    /// `Cache-Control`, its lines joined by commas.
    package var cacheControl: String?
    /// `Expires`; an unreadable date is stored as one in the past (RFC 9111, 5.3).
    package var expires: Int64?
    /// `Date`; `nil` if it is unreadable.
    package var date: Int64?
    /// `Age`: seconds that the response has spent in caches.
    package var age: Int64?

    /// Creates the fields of a response; the others are absent.
    public init(cacheControl: String? = nil, expires: Int64? = nil, date: Int64? = nil, age: Int64? = nil) {
        self.cacheControl = cacheControl
        self.expires = expires
        self.date = date
        self.age = age
    }

    var saysLifetime: Bool { self.lifetime(receivedAt: 0) != nil }

    /// The declared freshness lifetime in seconds, from the response's date on; `nil` if the response declares none.
    ///
    /// `s-maxage` overrides `max-age`, which overrides `Expires` (RFC 9111, 4.2.1). `no-store` and `no-cache` count as
    /// 0: the operator's minimum decides how often such an origin is asked.
    ///
    /// - Parameter now: Replaces a missing `Date` (RFC 9110, 6.6.1).
    func lifetime(receivedAt now: Int64) -> Int64? {
        let directives = FieldSyntax.directives(self.cacheControl ?? "")
        if directives["no-store"] != nil || directives["no-cache"] != nil { return 0 }
        for name in ["s-maxage", "max-age"] {
            guard let value = directives[name] else { continue }
            return FieldSyntax.seconds(value) ?? 0  // unreadable values count as stale (RFC 9111, 4.2.1)
        }
        guard let expires else { return nil }
        let (lifetime, overflow) = expires.subtractingReportingOverflow(self.date ?? now)
        return overflow ? 0 : max(0, lifetime)
    }
}

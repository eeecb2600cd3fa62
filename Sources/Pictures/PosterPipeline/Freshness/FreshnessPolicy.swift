/// How long originals are used without asking, and how long although their origin cannot be asked.
public struct FreshnessPolicy: Hashable, Sendable {
    /// The least that an original is fresh for, whatever its origin says, in seconds; an hour.
    public var minimum: Int64 = 3600
    /// The most; 30 days.
    public var maximum: Int64 = 30 * 86_400
    /// For origins that do not say; 7 days.
    public var fallback: Int64 = 7 * 86_400
    /// For how many seconds after that an original is served at once while it is asked for behind, and served on when the
    /// origin fails (RFC 5861); 30 days.
    public var staleIfError: Int64 = 30 * 86_400

    /// The defaults.
    public init() {}

    /// The freshness of what arrived at `now`.
    func freshness(of fields: CachingFields, at now: Int64) -> Freshness {
        guard let lifetime = fields.lifetime(receivedAt: now) else {
            return Freshness(validatedAt: now, lifetime: self.bounded(self.fallback))
        }
        // RFC 9111, 4.2.3; without the time that the answer took, which is limited to seconds.
        let apparentAge = fields.date.map { max(0, now - $0) } ?? 0
        let age = max(apparentAge, fields.age ?? 0)
        return Freshness(validatedAt: now, lifetime: self.bounded(lifetime - min(age, lifetime)))
    }

    /// Within floor and ceiling.
    func bounded(_ seconds: Int64) -> Int64 {
        max(self.minimum, min(seconds, self.maximum))
    }
}

extension Freshness {
    /// Of what never changes under its name.
    static func unlimited(from now: Int64) -> Freshness {
        Freshness(validatedAt: now, lifetime: Freshness.unlimitedLifetime)
    }
}

/// How an answer came to be older than its origin said it may be.
public struct Staleness: Hashable, Sendable {
    /// Why it was served all the same.
    public enum Reason: Hashable, Sendable {
        /// Its origin is being asked behind.
        case revalidating
        /// Its origin was asked lately and did not answer as it should.
        case originFailed
        /// There was no room to make a current one.
        case overloaded
    }

    /// Since it was fresh; 0 for an answer that has a successor already.
    public var seconds: Int64
    /// Why.
    public var reason: Reason
}

import Testing

@testable import PosterPipeline

/// The rules of RFC 9111 for the freshness of originals.
struct FreshnessRuleTests {
    private static let lifetimes: [(CachingFields, Int)] = [
        (CachingFields(), 7 * 86_400), (CachingFields(cacheControl: "max-age=86400"), 86_400),
        (CachingFields(cacheControl: "public, max-age=86400, s-maxage=172800"), 172_800),
        (CachingFields(cacheControl: "max-age=\"7200\""), 7200), (CachingFields(cacheControl: "Max-Age = 7200"), 7200),
        (CachingFields(cacheControl: "max-age=7200, max-age=86400"), 7200),
        (CachingFields(cacheControl: #"extension="\", max-age=86400, \"", max-age=7200"#), 7200),
        (CachingFields(cacheControl: "max-age=86400", age: 6400), 80_000),
        (CachingFields(cacheControl: "max-age=86400", date: 90_000, age: 100), 76_400),
        (CachingFields(cacheControl: "max-age=86400", expires: 1, date: 100_000), 86_400),
        (CachingFields(expires: 186_400, date: 100_000), 86_400), (CachingFields(expires: 186_400), 86_400),
        // Below the floor of an hour: stale at once, not to be stored, or unreadable.
        (CachingFields(cacheControl: "max-age=86400", age: 1 << 40), 3600),
        (CachingFields(cacheControl: "max-age=10"), 3600), (CachingFields(cacheControl: "no-store"), 3600),
        (CachingFields(cacheControl: "no-cache=\"Set-Cookie\", max-age=86400"), 3600),
        (CachingFields(cacheControl: "max-age=tomorrow"), 3600), (CachingFields(cacheControl: "max-age=-5"), 3600),
        (CachingFields(cacheControl: "max-age=864 00"), 3600),
        (CachingFields(expires: 0, date: 100_000), 3600), (CachingFields(expires: 0), 3600),
        (CachingFields(expires: .min, date: .max), 3600),
        // Above the ceiling of 30 days.
        (CachingFields(cacheControl: "max-age=31536000, immutable"), 30 * 86_400),
        (CachingFields(cacheControl: "max-age=99999999999999999999999"), 30 * 86_400),
    ]

    @Test(arguments: Self.lifetimes)
    func aLifetimeIsWhatTheOriginSaysWithinFloorAndCeiling(_ fields: CachingFields, _ seconds: Int) {
        let freshness = FreshnessPolicy().freshness(of: fields, at: 100_000)
        #expect(freshness == Freshness(validatedAt: 100_000, lifetime: Int64(seconds)))
    }

    @Test func aClockThatWasAheadNeitherEndsFreshnessNorMakesItLast() {
        let ahead = Freshness(validatedAt: 4_000_000_000, lifetime: 3600)
        let settled = ahead.settled(at: 1_000_000)
        #expect(settled == Freshness(validatedAt: 1_000_000, lifetime: 3600))
        #expect(settled.isFresh(at: 1_003_599) && !settled.isFresh(at: 1_003_600))
        #expect(settled.settled(at: 1_000_500) == settled, "a stamp that is not in the future stays")
        #expect(Freshness(validatedAt: .min, lifetime: 1).staleness(at: .max) == .max)
    }

    @Test func aLifetimeEndsWithItsLastSecond() {
        let freshness = Freshness(validatedAt: 100, lifetime: 10)
        #expect(freshness.staleness(at: 109) == -1 && freshness.isFresh(at: 109))
        #expect(freshness.staleness(at: 110) == 0 && !freshness.isFresh(at: 110))
        #expect(freshness.staleness(at: 90) == -20)
        #expect(Freshness(validatedAt: 0, lifetime: -5).lifetime == 0)
        #expect(Freshness(validatedAt: 0, lifetime: 1).staleness(at: .min) == .min)
    }

    @Test func bytesThatNeverChangeHaveNoAge() {
        #expect(Freshness(validatedAt: 100, lifetime: 10).age(at: 103) == 3)
        #expect(Freshness(validatedAt: 100, lifetime: 10).age(at: 97) == 0)
        #expect(Freshness(validatedAt: .min, lifetime: 10).age(at: .max) == nil)
        let unlimited = Freshness.unlimited(from: 100)
        #expect(unlimited.isUnlimited && unlimited.validatedAt == 100 && unlimited.age(at: 200) == nil)
        #expect(!Freshness(validatedAt: 100, lifetime: unlimited.lifetime - 1).isUnlimited)
        #expect(unlimited.lifetime == 1 << 40, "as in stored files")
    }

    @Test func aStampThatIsNotInTheFutureStays() {
        let freshness = Freshness(validatedAt: 100, lifetime: 10)
        #expect(freshness.settled(at: 100) == freshness && freshness.settled(at: 101) == freshness)
        #expect(freshness.settled(at: 99).validatedAt == 99)
    }

    @Test func theDefaultsAreThoseOfTheManual() {
        let policy = FreshnessPolicy()
        #expect(policy.minimum == 3600 && policy.maximum == 2_592_000)
        #expect(policy.fallback == 604_800 && policy.staleIfError == 2_592_000)
        #expect([0, 3600, 3601, 2_592_001].map(policy.bounded) == [3600, 3600, 3601, 2_592_000])
    }

    @Test func ageCountsFromTheDateOrTheFieldWhicheverIsMore() {
        var policy = FreshnessPolicy()
        policy.minimum = 0
        let lifetime = { (date: Int64?, age: Int64?) in
            let fields = CachingFields(cacheControl: "max-age=500", date: date, age: age)
            return policy.freshness(of: fields, at: 1000).lifetime
        }
        #expect(lifetime(nil, nil) == 500 && lifetime(1000, nil) == 500 && lifetime(2000, nil) == 500)
        #expect(lifetime(990, nil) == 490 && lifetime(990, 5) == 490 && lifetime(990, 20) == 480)
        #expect(lifetime(nil, 499) == 1 && lifetime(nil, 500) == 0 && lifetime(0, nil) == 0)
    }

    @Test func aLifetimeIsDeclaredByCacheControlOrExpires() {
        #expect(CachingFields().lifetime(receivedAt: 10) == nil && !CachingFields().saysLifetime)
        #expect(CachingFields(expires: 30).lifetime(receivedAt: 10) == 20)
        #expect(CachingFields(expires: 30, date: 25).lifetime(receivedAt: 10) == 5)
        #expect(CachingFields(expires: 30, date: 31).lifetime(receivedAt: 10) == 0)
        #expect(CachingFields(expires: .max, date: .min).lifetime(receivedAt: 10) == 0)
        for text in ["no-store", "no-cache", "no-store, max-age=5", "no-cache, max-age=5", "max-age=soon"] {
            let fields = CachingFields(cacheControl: text, expires: 30)
            #expect(fields.lifetime(receivedAt: 10) == 0 && fields.saysLifetime, "\(text)")
        }
        #expect(CachingFields(cacheControl: "public", expires: 30).lifetime(receivedAt: 10) == 20)
    }
}

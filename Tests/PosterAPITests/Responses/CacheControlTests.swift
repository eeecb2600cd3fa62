import HTTPSemantics
import Testing

@testable import PosterAPI
@testable import PosterPipeline

struct CacheControlTests {
    private static let digest = Digest(of: "a")

    private func value(
        age: Int64?, _ caching: ClientCaching = ClientCaching(), version: String? = nil,
        staleness: Staleness? = nil
    ) -> String {
        let provenance = Provenance(
            reach: .cache, staleness: staleness, original: OriginalState(digest: Self.digest, age: age))
        let cacheControl = CacheControl(caching)
        return cacheControl.value(cacheControl.lifetime(of: provenance, version: version))
    }

    private func seconds(age: Int64, maxAge: Int) -> Int64 {
        var caching = ClientCaching()
        caching.maxAge = .seconds(maxAge)
        let provenance = Provenance(reach: .cache, original: OriginalState(digest: Self.digest, age: age))
        return CacheControl(caching).lifetime(of: provenance, version: nil).seconds
    }

    @Test("nothing is kept longer than the right to it lasts", arguments: [0, 7200] as [Int64])
    func expiry(age: Int64) {
        let provenance = Provenance(reach: .cache, original: OriginalState(digest: Self.digest, age: age))
        let cacheControl = CacheControl(ClientCaching())
        func value(_ expires: Int64?) -> String {
            cacheControl.value(cacheControl.lifetime(of: provenance, version: nil, expires: expires, now: 1000))
        }
        // Relative to the time of the response, for caches that ignore `Age`.
        #expect(value(1030) == "public, max-age=30")
        #expect(value(999) == "public, max-age=0")
        // A later expiry does not limit it: the lifetime plus the whole steps in the original's age, minus that age.
        #expect(value(10_000_000) == "public, max-age=\(86_400 - age % 10_800)")
        let lifetime = cacheControl.lifetime(of: provenance, version: nil)
        #expect(provenance.age(in: lifetime, expires: nil) == age)
        #expect(provenance.age(in: lifetime, expires: 1030) == nil)
        #expect(value(nil).contains("stale-while-revalidate"))
    }

    @Test func whatIsZeroIsLeftOut() {
        var caching = ClientCaching()
        #expect(self.value(age: nil) == "public, max-age=86400, stale-while-revalidate=86400, stale-if-error=604800")
        caching.staleWhileRevalidate = .zero
        #expect(self.value(age: nil, caching) == "public, max-age=86400, stale-if-error=604800")
        caching.staleIfError = .zero
        caching.maxAge = .zero
        for age in [nil, 0, 1, 1_000_000] as [Int64?] { #expect(self.value(age: age, caching) == "public, max-age=0") }
    }

    @Test("more than 7/8 of the lifetime is left, in few steps", arguments: [1, 7, 8, 60, 86_400, 31_536_000])
    func steps(maxAge: Int) {
        var said: Set<Int64> = []
        for age in stride(from: 0, to: Int64(maxAge), by: max(1, maxAge / 1000)) {
            let seconds = self.seconds(age: age, maxAge: maxAge)
            said.insert(seconds)
            #expect(seconds - age <= Int64(maxAge) && (seconds - age) * 8 > Int64(maxAge) * 7 - 8)
        }
        #expect(said.count <= (maxAge < 8 ? 8 : 16))
        // A cache that ignores `Age` keeps it at most twice as long.
        #expect(self.seconds(age: .max, maxAge: maxAge) <= 2 * Int64(maxAge))
    }

    @Test("what another format will replace is fresh for a minute from now on, and never immutable")
    func provisional() {
        let digits = String(Self.digest.description.prefix(8))
        func value(_ caching: ClientCaching = ClientCaching(), version: String? = nil, expires: Int64? = nil) -> String
        {
            var provenance = Provenance(reach: .cache, original: OriginalState(digest: Self.digest, age: 5000))
            provenance.isProvisional = true
            let cacheControl = CacheControl(caching)
            let lifetime = cacheControl.lifetime(of: provenance, version: version, expires: expires, now: 1000)
            #expect(provenance.age(in: lifetime, expires: expires) == nil)
            return cacheControl.value(lifetime)
        }
        let minute = "public, max-age=60, stale-while-revalidate=86400, stale-if-error=604800"
        #expect(value() == minute && value(version: digits) == minute)
        #expect(value(expires: 1010) == "public, max-age=10" && value(expires: 2000) == "public, max-age=60")
        var caching = ClientCaching()
        caching.provisionalMaxAge = .seconds(5)
        caching.staleWhileRevalidate = .seconds(30)
        caching.staleIfError = .zero
        #expect(value(caching) == "public, max-age=5, stale-while-revalidate=30")
        caching.maxAge = .seconds(2)
        #expect(value(caching) == "public, max-age=2, stale-while-revalidate=30", "never more than the final lifetime")
    }

    @Test func aVersionThatIsRightIsForAYear() {
        let digits = Self.digest.description
        for version in [digits, String(digits.prefix(8)), String(digits.prefix(9))] {
            #expect(self.value(age: 0, version: version) == "public, max-age=31536000, immutable")
        }
        for version in [String(digits.suffix(8)), digits + "0", digits.uppercased()] {
            #expect(self.value(age: 0, version: version) == "public, max-age=60")
        }
        let stale = Staleness(seconds: 1, reason: .revalidating)
        #expect(self.value(age: 0, version: digits, staleness: stale) == "public, max-age=60")
        #expect(self.value(age: 30, staleness: stale) == "public, max-age=88")
        #expect(self.value(age: 71, staleness: stale) == "public, max-age=116")
        var caching = ClientCaching()
        caching.maxAge = .seconds(5)
        #expect(self.value(age: 0, caching, version: "00000000") == "public, max-age=5")
    }
}

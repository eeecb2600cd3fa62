import Synchronization
import Testing

@testable import HTTPServer

struct ResponseCacheTests {
    private final class Clock: Sendable {
        let nanoseconds = Mutex<UInt64>(0)
        func now() -> UInt64 { self.nanoseconds.withLock { $0 } }
    }

    @Test func publicResponsesAreCachedForTheirLifetime() throws {
        let clock = Clock()
        let cache = ResponseCache<String>(lifetime: .seconds(1), now: clock.now)
        let answer = try EncodedResponse.json(["a": 1], caching: .shared(seconds: 60))
        cache.insert(answer, for: "/a")
        #expect(cache.response(for: "/a")?.tag == answer.tag)
        #expect(cache.response(for: "/b") == nil)
        clock.nanoseconds.withLock { $0 = 1_000_000_000 }
        #expect(cache.response(for: "/a") == nil)
    }

    @Test func oneClientMakesAResponseAgainAndTheOthersGetTheOldOneMeanwhile() throws {
        let clock = Clock()
        let cache = ResponseCache<String>(lifetime: .seconds(1), now: clock.now)
        let old = try EncodedResponse.json(["a": 1], caching: .shared(seconds: 60))
        let new = try EncodedResponse.json(["a": 2], caching: .shared(seconds: 60))
        cache.insert(old, for: "/a")
        clock.nanoseconds.withLock { $0 = 1_500_000_000 }
        #expect(cache.response(for: "/a") == nil)
        #expect(cache.response(for: "/a")?.tag == old.tag)
        cache.insert(new, for: "/a")
        #expect(cache.response(for: "/a")?.tag == new.tag)
    }

    @Test func theOldResponseIsUsedNoLongerWhenItCannotBeMadeAgain() throws {
        let clock = Clock()
        let cache = ResponseCache<String>(lifetime: .seconds(1), now: clock.now)
        for replace in [
            { cache.remove("/a") }, { cache.insert(try EncodedResponse.json(["a": 2], caching: .none), for: "/a") },
        ] {
            cache.insert(try EncodedResponse.json(["a": 1], caching: .shared(seconds: 60)), for: "/a")
            clock.nanoseconds.withLock { $0 += 1_000_000_000 }
            #expect(cache.response(for: "/a") == nil)
            try replace()
            #expect(cache.response(for: "/a") == nil)
        }
    }

    @Test func aResponseThatIsNotMadeAgainIsUsedForTwiceItsLifetime() throws {
        let clock = Clock()
        let cache = ResponseCache<String>(lifetime: .seconds(1), now: clock.now)
        cache.insert(try EncodedResponse.json(["a": 1], caching: .shared(seconds: 60)), for: "/a")
        clock.nanoseconds.withLock { $0 = 1_999_999_999 }
        #expect(cache.response(for: "/a") == nil)
        #expect(cache.response(for: "/a") != nil)
        clock.nanoseconds.withLock { $0 = 2_000_000_000 }
        #expect(cache.response(for: "/a") == nil)
        #expect(cache.response(for: "/a") == nil)
    }

    @Test func privateResponsesAreNot() throws {
        let cache = ResponseCache<String>(lifetime: .seconds(1), now: { 0 })
        for caching in [EncodedResponse.CachePolicy.own, .none] {
            cache.insert(try EncodedResponse.json(["a": 1], caching: caching), for: "/a")
            #expect(cache.response(for: "/a") == nil)
        }
    }

    @Test func noMoreIsRememberedThanTheLimits() throws {
        let cache = ResponseCache<String>(lifetime: .seconds(1), now: { 0 })
        let answer = try EncodedResponse.json(["a": 1], caching: .shared(seconds: 60))
        for number in 0...ResponseCache<String>.countLimit { cache.insert(answer, for: "/\(number)") }
        #expect(cache.response(for: "/0") == nil)
        #expect(cache.response(for: "/\(ResponseCache<String>.countLimit)") != nil)
    }

    @Test func withoutATimeNothingIs() throws {
        let cache = ResponseCache<String>(lifetime: .zero, now: { 0 })
        cache.insert(try EncodedResponse.json(["a": 1], caching: .shared(seconds: 60)), for: "/a")
        #expect(cache.response(for: "/a") == nil)
    }
}

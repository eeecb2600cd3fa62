import MovieDomain
import Synchronization
import Testing

@testable import HTTPServer
@testable import MovieAPI

struct ResponseCacheTests {
    private func key(_ target: String) -> ResponseCache.Key {
        ResponseCache.Key(target: target, languages: LanguagePreference(), generation: 0)
    }

    private final class Clock: Sendable {
        let nanoseconds = Mutex<UInt64>(0)
        func now() -> UInt64 { self.nanoseconds.withLock { $0 } }
    }

    @Test func whatEverybodyMayHaveIsRememberedForItsTime() throws {
        let clock = Clock()
        let cache = ResponseCache(lifetime: .seconds(1), now: clock.now)
        let answer = try JSONResponse(["a": 1], keeping: .shared(seconds: 60))
        cache.insert(answer, for: self.key("/a"))
        #expect(cache.response(for: self.key("/a"))?.tag == answer.tag)
        #expect(cache.response(for: self.key("/b")) == nil)
        let other = ResponseCache.Key(target: "/a", languages: LanguagePreference([.english]), generation: 0)
        #expect(cache.response(for: other) == nil)
        clock.nanoseconds.withLock { $0 = 1_000_000_000 }
        #expect(cache.response(for: self.key("/a")) == nil)
    }

    @Test func whatIsSomebodysOwnIsNot() throws {
        let cache = ResponseCache(lifetime: .seconds(1), now: { 0 })
        for keeping in [JSONResponse.Keeping.own, .none] {
            cache.insert(try JSONResponse(["a": 1], keeping: keeping), for: self.key("/a"))
            #expect(cache.response(for: self.key("/a")) == nil)
        }
    }

    @Test func noMoreIsRememberedThanTheLimits() throws {
        let cache = ResponseCache(lifetime: .seconds(1), now: { 0 })
        let answer = try JSONResponse(["a": 1], keeping: .shared(seconds: 60))
        for number in 0...ResponseCache.countLimit { cache.insert(answer, for: self.key("/\(number)")) }
        #expect(cache.response(for: self.key("/0")) == nil)
        #expect(cache.response(for: self.key("/\(ResponseCache.countLimit)")) != nil)
    }

    @Test func withoutATimeNothingIs() throws {
        let cache = ResponseCache(lifetime: .zero, now: { 0 })
        cache.insert(try JSONResponse(["a": 1], keeping: .shared(seconds: 60)), for: self.key("/a"))
        #expect(cache.response(for: self.key("/a")) == nil)
    }
}

import BoundedCache
import PosterTesting
import Testing

struct BoundedCacheTests {
    /// Reads the cache in its deinit: if it were freed with the lock held, it would deadlock.
    private final class Reader: Sendable {
        let cache: BoundedCache<Int, Reader>
        let freed: Counter

        init(_ cache: BoundedCache<Int, Reader>, _ freed: Counter) {
            self.cache = cache
            self.freed = freed
        }

        deinit {
            _ = self.cache.usage
            self.freed.increment()
        }
    }

    @Test func evictsTheLeastRecentlyUsed() {
        let cache = BoundedCache<Int, String>(countLimit: 2)
        cache.insert("one", for: 1)
        cache.insert("two", for: 2)
        #expect(cache.value(for: 1) == "one")
        cache.insert("three", for: 3)
        #expect(cache.value(for: 2) == nil)
        #expect(cache.value(for: 1) == "one")
        #expect(cache.value(for: 3) == "three")
        #expect(cache.usage == (2, 2))
    }

    @Test func keepsWithinTheCostLimit() {
        let cache = BoundedCache<Int, String>(costLimit: 10)
        cache.insert("one", for: 1, cost: 4)
        cache.insert("two", for: 2, cost: 4)
        cache.insert("three", for: 3, cost: 6)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.usage == (2, 10))
        cache.insert("too large", for: 2, cost: 11)
        #expect(cache.value(for: 2) == nil)
        #expect(cache.usage == (1, 6))
    }

    @Test func aCountLimitOfZeroKeepsNothing() {
        let cache = BoundedCache<Int, Int>(countLimit: 0)
        cache.insert(1, for: 1)
        #expect(cache.value(for: 1) == nil)
    }

    @Test func anotherValueReplacesTheOneBefore() {
        let cache = BoundedCache<String, Int>(costLimit: 100)
        cache.insert(1, for: "a", cost: 40)
        cache.insert(2, for: "a", cost: 70)
        #expect(cache.value(for: "a") == 2)
        #expect(cache.usage == (1, 70))
        #expect(cache.remove("a"))
        #expect(!cache.remove("a"))
        #expect(cache.usage == (0, 0))
    }

    @Test func valuesExpireAndAUseDoesNotProlongThem() {
        let clock = ManualClock()
        let cache = BoundedCache<Int, Int>(countLimit: 10, timeToLive: .seconds(1), now: clock.now)
        cache.insert(1, for: 1)
        clock.advance(by: .nanoseconds(999_999_999))
        #expect(cache.value(for: 1) == 1)
        cache.insert(2, for: 2)
        clock.advance(by: .nanoseconds(1))
        #expect(cache.value(for: 1) == nil)
        #expect(cache.value(for: 2) == 2)
        #expect(cache.usage == (1, 1), "an expired value leaves when it is asked for")
        cache.insert(3, for: 2)
        clock.advance(by: .nanoseconds(999_999_999))
        #expect(cache.value(for: 2) == 3, "a replacement lives as long as any other")
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1) / 2])
    func aLifetimeOfNothingKeepsNothing(_ lifetime: Duration) {
        let cache = BoundedCache<Int, Int>(timeToLive: lifetime, now: { 0 })
        cache.insert(1, for: 1)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.usage == (0, 0))
    }

    @Test func aLifetimeBeyondTheClockNeverEnds() {
        let cache = BoundedCache<Int, Int>(timeToLive: .seconds(Int64.max), now: { .max - 1 })
        cache.insert(1, for: 1)
        #expect(cache.value(for: 1) == 1)
    }

    @Test func valuesAreFreedOutsideTheLock() {
        let clock = ManualClock()
        let cache = BoundedCache<Int, Reader>(costLimit: 100, timeToLive: .seconds(1), now: clock.now)
        let freed = Counter()
        for key in 0..<15 { cache.insert(Reader(cache, freed), for: key, cost: 10) }
        #expect(freed.value == 5, "evicted")
        cache.insert(Reader(cache, freed), for: 14, cost: 10)
        #expect(freed.value == 6, "replaced")
        cache.insert(Reader(cache, freed), for: 14, cost: 101)
        #expect(freed.value == 8, "refused, and the one before with it")
        cache.remove(13)
        #expect(freed.value == 9, "removed")
        clock.advance(by: .seconds(1))
        #expect(cache.value(for: 12) == nil)
        #expect(freed.value == 10, "expired")
        for key in 0..<12 { cache.remove(key) }
        #expect(freed.value == 17)
    }

    @Test func eightTasksNeverSeeAWrongValueNorMoreThanTheLimits() async {
        let cache = BoundedCache<Int, String>(countLimit: 100, costLimit: 5000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    for _ in 0..<10_000 {
                        let key = Int.random(in: 0..<300, using: &random)
                        switch Int.random(in: 0..<20, using: &random) {
                        case 0: cache.remove(key)
                        case 1..<8: cache.insert("value of \(key)", for: key, cost: 1 + key % 90)
                        case 8:
                            let (count, cost) = cache.usage
                            #expect(count <= 100 && cost <= 5000)
                        default:
                            if let value = cache.value(for: key) { #expect(value == "value of \(key)") }
                        }
                    }
                }
            }
        }
        var found = 0
        for key in 0..<300 where cache.value(for: key) != nil { found += 1 }
        #expect(found == cache.usage.count)
    }
}

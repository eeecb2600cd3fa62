import PosterTesting
import Synchronization
import Testing

@testable import BoundedCache

struct ShardedCacheTests {
    /// Reads the cache in its deinit: if it were freed with the lock held, it would deadlock.
    private final class Talker: Sendable {
        let cache: ShardedCache<Int, Talker>
        let deaths: Counter

        init(_ cache: ShardedCache<Int, Talker>, _ deaths: Counter) {
            self.cache = cache
            self.deaths = deaths
        }

        deinit {
            _ = self.cache.usage
            self.deaths.value.add(1, ordering: .relaxed)
        }
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    @Test func whatLeavesIsFreedOutsideTheLock() {
        let cache = ShardedCache<Int, Talker>(costLimit: 100, shardCount: 1)
        let deaths = Counter()
        for key in 0..<50 { cache.insert(Talker(cache, deaths), for: key, cost: 10) }  // evicted
        let kept = cache.usage.count
        #expect(deaths.value.load(ordering: .relaxed) == 50 - kept)
        cache.insert(Talker(cache, deaths), for: 49, cost: 10)  // replaced
        cache.insert(Talker(cache, deaths), for: 49, cost: 101)  // refused
        #expect(deaths.value.load(ordering: .relaxed) == 52 - kept + 1)
        cache.insert(Talker(cache, deaths), for: 50, cost: 1)
        #expect(cache.remove(50))
        cache.removeAll { _, _ in true }
        #expect(deaths.value.load(ordering: .relaxed) == 53)
        #expect(cache.usage == (0, 0))
    }

    @Test func anotherValueReplacesTheOneBefore() {
        let cache = ShardedCache<String, Int>(costLimit: 100, shardCount: 1)
        #expect(cache.insert(1, for: "a", cost: 40))
        #expect(cache.insert(2, for: "a", cost: 70))
        #expect(cache.value(for: "a") == 2)
        #expect(cache.usage == (1, 70))
    }

    @Test func whatCostsMoreThanAShardIsNotKeptAndDropsTheOneBefore() {
        let cache = ShardedCache<Int, Int>(costLimit: 400, shardCount: 4)
        #expect(cache.entryLimit == 100)
        #expect(cache.insert(1, for: 1, cost: 100))
        #expect(!cache.insert(2, for: 1, cost: 101))
        #expect(cache.value(for: 1) == nil)
        #expect(cache.usage == (0, 0))
    }

    @Test func aBudgetOfNothingKeepsNothing() {
        let cache = ShardedCache<Int, Int>(costLimit: 0, shardCount: 1)
        #expect(!cache.insert(1, for: 1, cost: 1))
        #expect(cache.value(for: 1) == nil)
    }

    @Test func removesOneAndSome() {
        let cache = ShardedCache<Int, Int>(costLimit: 4000, shardCount: 4)
        for key in 0..<100 { cache.insert(key, for: key, cost: 1) }
        #expect(cache.remove(7))
        #expect(!cache.remove(7))
        cache.removeAll { key, _ in key % 2 == 0 }
        #expect(cache.usage == (49, 49))
        for key in 0..<100 { #expect(cache.contains(key) == (key % 2 == 1 && key != 7)) }
    }

    @Test func eightThreadsNeverSeeAWrongValueNorMoreThanTheBudget() async {
        let cache = ShardedCache<Int, String>(costLimit: 10_000, shardCount: 4)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(thread))
                    for _ in 0..<20_000 {
                        let key = Int.random(in: 0..<Int.random(in: 1...500, using: &random), using: &random)
                        switch Int.random(in: 0..<20, using: &random) {
                        case 0: cache.remove(key)
                        case 1..<8: cache.insert("value of \(key)", for: key, cost: 1 + key % 90)
                        case 8: #expect(cache.usage.cost <= 10_000)
                        default:
                            let value = cache.value(for: key)
                            if let value { #expect(value == "value of \(key)") }
                        }
                    }
                }
            }
        }
        let sum = Mutex((count: 0, cost: 0))
        cache.removeAll { key, _ in
            sum.withLock { $0 = ($0.count + 1, $0.cost + 1 + key % 90) }
            return false
        }
        #expect(sum.withLock { $0 } == cache.usage)
    }
}

/// Measures the wall-clock nanoseconds of a hit and of an insertion, over all threads.
struct CacheTimes {
    /// Size in entries of each cache that threads share; all entries have the same cost.
    private static let entryCount = 10_000
    private static let entryCost = 20_000
    private static let hitsPerRound = 64_000
    private static let insertsPerRound = 16_000
    private static let keysPerThread = 8192

    private let rounds: Int
    private let threadCounts: [Int]
    private let entryCounts: [Int]
    /// One list per thread: threads share no key's memory, as requests do not.
    private let keys: [[CacheKey]]
    private let newKeys: [CacheKey]

    init(isQuick: Bool) {
        self.rounds = isQuick ? 3 : 5
        self.threadCounts = isQuick ? [1, 2] : [1, 2, 4, 8]
        self.entryCounts = isQuick ? [1000, 10_000, 100_000] : [1000, 10_000, 100_000, 1_000_000]
        self.keys = (0..<self.threadCounts.max()!).map { thread in
            var random = SplitMix(seed: UInt64(thread))
            return (0..<Self.keysPerThread).map { _ in CacheKey(random.next(below: Self.entryCount)) }
        }
        self.newKeys = (0..<self.rounds * Self.insertsPerRound).map { CacheKey(Self.entryCount + $0) }
    }

    var outcome: Outcome {
        var outcome = Outcome()
        let limit = Self.entryCount * Self.entryCost
        let makers: [(name: String, make: () -> any TimedCache)] = [
            ("lru, one lock", { LockedLRU(limit: limit) }),
            ("w-tinylfu 10%, one lock", { ChosenCache(limit: limit, shardCount: 1) }),
            ("w-tinylfu 10%, 16 locks", { ChosenCache(limit: limit, shardCount: PolicyKind.shardCount) }),
        ]
        for (title, measure) in [("hit", self.hit), ("insert", self.insert)] {
            var rows = [["threads"] + self.threadCounts.map(String.init)]
            for (name, make) in makers {
                let values = self.threadCounts.map { measure(make(), $0) }
                rows.append([name] + values.map { $0.fixed(0) })
                outcome.figures += zip(self.threadCounts, values).map { count, value in
                    Figure("cache time \(title) \(count) threads \(name)", value, "ns")
                }
            }
            outcome.tables.append(Outcome.Table(title: "Wall-clock nanoseconds for each \(title)", rows: rows))
        }
        let hash = self.hash()
        var rows = [["entries"] + self.entryCounts.map(String.init)]
        for isOurs in [false, true] {
            let name = isOurs ? makers[2].name : makers[0].name
            let values = self.entryCounts.map { self.hit(isOurs: isOurs, entryCount: $0) }
            rows.append([name] + values.map { $0.fixed(0) })
            outcome.figures += zip(self.entryCounts, values).map { count, value in
                Figure("cache time hit \(count) entries \(name)", value, "ns")
            }
        }
        outcome.tables.append(
            Outcome.Table(title: "Nanoseconds for each hit, one thread, by number of entries", rows: rows))
        outcome.notes = [
            "Times: medians of \(self.rounds) rounds on \(Machine.current.cores) cores; more threads than cores measure "
                + "contention, not scaling.",
            "Hashing a key, which is part of all of these, takes \(hash.fixed(0)) ns. An insertion makes a value and frees "
                + "an evicted one.",
        ]
        return outcome
    }

    private func hit(_ cache: any TimedCache, threads: Int) -> Double {
        Self.fill(cache, count: Self.entryCount)
        return Self.hit(cache, keys: Array(self.keys.prefix(threads)), rounds: self.rounds)
    }

    private func hit(isOurs: Bool, entryCount: Int) -> Double {
        // Twice the size, so that no entry is evicted.
        let limit = 2 * entryCount * Self.entryCost
        let cache: any TimedCache =
            isOurs ? ChosenCache(limit: limit, shardCount: PolicyKind.shardCount) : LockedLRU(limit: limit)
        Self.fill(cache, count: entryCount)
        var random = SplitMix(seed: 1)
        let keys = (0..<min(entryCount, 8 * Self.keysPerThread)).map { _ in CacheKey(random.next(below: entryCount)) }
        return Self.hit(cache, keys: [keys], rounds: self.rounds)
    }

    private static func hit(_ cache: some TimedCache, keys: [[CacheKey]], rounds: Int) -> Double {
        Median.of(
            (0..<rounds).map { _ in
                let count = Self.hitsPerRound / keys.count
                let time = ThreadTeam.run(keys.count) { thread in
                    keys[thread].withUnsafeBufferPointer { keys in
                        for index in 0..<count { _ = cache.value(for: keys[index % keys.count]) }
                    }
                }
                return Double(time) / Double(count * keys.count)
            })
    }

    private func insert(_ cache: any TimedCache, threads: Int) -> Double {
        Self.fill(cache, count: Self.entryCount)
        return Self.insert(cache, keys: self.newKeys, threads: threads)
    }

    private static func insert(_ cache: some TimedCache, keys: [CacheKey], threads: Int) -> Double {
        let share = Self.insertsPerRound / threads
        return Median.of(
            stride(from: 0, to: keys.count, by: Self.insertsPerRound).map { first in
                let time = ThreadTeam.run(threads) { thread in
                    keys.withUnsafeBufferPointer { keys in
                        for index in first + thread * share..<first + (thread + 1) * share {
                            cache.insert(CacheValue(index), for: keys[index], cost: Self.entryCost)
                        }
                    }
                }
                return Double(time) / Double(share * threads)
            })
    }

    private func hash() -> Double {
        let keys = self.keys[0]
        return Median.of(
            (0..<self.rounds).map { _ in
                var sum = 0
                let start = Clock.now()
                keys.withUnsafeBufferPointer { keys in
                    for index in keys.indices { sum ^= keys[index].hashValue }
                }
                let time = Double(Clock.now() - start) / Double(keys.count)
                return sum == 1 ? time + 1e-9 : time  // uses the sum, so that the loop is not optimised away
            })
    }

    private static func fill(_ cache: any TimedCache, count: Int) {
        for number in 0..<count { cache.insert(CacheValue(number), for: CacheKey(number), cost: Self.entryCost) }
    }
}

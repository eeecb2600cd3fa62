import BoundedCache
import PosterTesting
import Testing

/// Compares a cache with a dictionary that loses the entries that the cache reports as dropped. Which entries those are
/// is the policy's matter: `TinyLFUTests`.
struct ShardedCacheModelTests {
    private struct Entry {
        let value: Int
        let cost: Int
        var uses = 0
    }

    private struct Run {
        let cache: ShardedCache<Int, Int>
        var random: SeededGenerator
        var entries: [Int: Entry] = [:]
        var evictions = 0

        mutating func step(_ step: Int) throws {
            let key = Int.random(in: 0..<Int.random(in: 1...60, using: &self.random), using: &self.random)
            let known = self.entries[key]
            switch Int.random(in: 0..<12, using: &self.random) {
            case 0..<3:
                let found = self.cache.countedValue(for: key)
                self.entries[key]?.uses = min(255, (known?.uses ?? 0) + 1)
                try #require(found?.value == known?.value && found?.uses == self.entries[key]?.uses)
            case 3:
                try #require(self.cache.value(for: key) == known?.value)
                self.entries[key]?.uses = min(255, (known?.uses ?? 0) + 1)
            case 4:
                try #require(self.cache.halveUses(of: key) == (known.map { $0.uses > 0 } ?? false))
                self.entries[key]?.uses /= 2
            case 5: try #require(self.cache.take(key) == self.entries.removeValue(forKey: key)?.value)
            case 6..<8: try self.exchange(key, step)
            case 8..<11: try self.insert(key, step)
            default:
                let remainder = Int.random(in: 0..<20, using: &self.random)
                self.cache.removeAll { key, value in (key + value) % 20 == remainder }
                self.entries = self.entries.filter { ($0.key + $0.value.value) % 20 != remainder }
            }
            let cost = self.entries.values.reduce(0) { $0 + $1.cost }
            try #require(self.cache.usage == (self.entries.count, cost) && cost <= self.cache.costLimit)
            try #require(self.cache.evictionCount == self.evictions)
            for key in 0..<60 {
                try #require(self.cache.unusedValue(for: key) == self.entries[key]?.value)
                try #require(self.cache.useCount(of: key) == self.entries[key]?.uses)
            }
        }

        private mutating func exchange(_ key: Int, _ value: Int) throws {
            let cost = Int.random(in: 0...60, using: &self.random)
            let (isKept, dropped) = self.cache.exchange(value, for: key, cost: cost)
            try #require(isKept == (cost <= self.cache.entryLimit))
            for entry in dropped {
                try #require(self.entries.removeValue(forKey: entry.key)?.value == entry.value, "each is dropped once")
            }
            if isKept { self.entries[key] = Entry(value: value, cost: cost) }
        }

        private mutating func insert(_ key: Int, _ value: Int) throws {
            let cost = Int.random(in: 0...60, using: &self.random)
            let worth = Float(Int.random(in: 0...4, using: &self.random))
            let isKept = self.cache.insert(value, for: key, cost: cost, worth: worth)
            try #require(isKept == (cost <= self.cache.entryLimit))
            self.entries[key] = isKept ? Entry(value: value, cost: cost) : nil
            let evicted = self.entries.keys.filter { !self.cache.contains($0) }
            try #require(!evicted.contains(key), "the newest entry is stored")
            for key in evicted { self.entries[key] = nil }
            self.evictions += evicted.count
        }
    }

    @Test("a cache holds all inserted entries but the dropped ones that it reports", arguments: TestSeeds.first(20))
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shardCount = 1 << Int.random(in: 0...3, using: &random)
        let limit = Int.random(in: 0...1000, using: &random)
        var run = Run(cache: ShardedCache(costLimit: limit, shardCount: shardCount), random: random)
        for step in 0..<200 { try run.step(step) }
    }
}

import BoundedCache
import PosterTesting
import Testing

/// Compares caches with all three limits with a list.
struct BoundedCacheModelTests {
    private struct Reference {
        struct Entry {
            let key: Int
            let value: Int
            let cost: Int
            /// `nil` without an age limit.
            let expiry: UInt64?
        }

        let countLimit: Int
        let costLimit: Int
        /// The least recently used entry is first.
        var entries: [Entry] = []

        var cost: Int { self.entries.reduce(0) { $0 + $1.cost } }

        mutating func take(_ key: Int) -> Entry? {
            self.entries.firstIndex { $0.key == key }.map { self.entries.remove(at: $0) }
        }

        mutating func value(for key: Int, at now: UInt64) -> Int? {
            guard let entry = self.take(key) else { return nil }
            if let expiry = entry.expiry, expiry <= now { return nil }
            self.entries.append(entry)
            return entry.value
        }

        mutating func insert(_ entry: Entry) {
            _ = self.take(entry.key)
            guard entry.cost <= self.costLimit else { return }
            self.entries.append(entry)
            while self.entries.count > self.countLimit || self.cost > self.costLimit { self.entries.removeFirst() }
        }
    }

    @Test("random operations have the results of a plain list", arguments: TestSeeds.first(20))
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (countLimit, costLimit) = (Int.random(in: 0...30, using: &random), Int.random(in: 0...300, using: &random))
        let lifetime = random.occurs(70) ? UInt64.random(in: 1...200, using: &random) : nil
        let clock = ManualClock()
        let cache: BoundedCache<Int, Int> =
            if let lifetime {
                BoundedCache(
                    countLimit: countLimit, costLimit: costLimit, timeToLive: .nanoseconds(lifetime), now: clock.now)
            } else {
                BoundedCache(countLimit: countLimit, costLimit: costLimit)
            }
        var reference = Reference(countLimit: countLimit, costLimit: costLimit)
        for step in 0..<2000 {
            let key = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                try #require(cache.value(for: key) == reference.value(for: key, at: clock.now()), "step \(step)")
            case 4..<8:
                let cost = Int.random(in: 0...30, using: &random)
                cache.insert(step, for: key, cost: cost)
                reference.insert(
                    .init(key: key, value: step, cost: cost, expiry: lifetime.map { clock.now() + $0 }))
            case 8: try #require(cache.remove(key) == (reference.take(key) != nil), "step \(step)")
            default: clock.advance(by: .nanoseconds(Int.random(in: 0...30, using: &random)))
            }
            try #require(cache.usage == (reference.entries.count, reference.cost), "step \(step)")
        }
    }
}

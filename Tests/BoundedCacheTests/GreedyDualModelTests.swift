import PosterTesting
import Testing

@testable import BoundedCache

/// Compares the policy with a list that is searched for each eviction.
struct GreedyDualModelTests {
    private struct Reference {
        struct Entry {
            let key: Int
            let cost: Int
            let worth: Double
            var uses = 1
            /// The policy's age at the last use.
            var age: Double

            var priority: Double { self.age + self.worth * Double(self.uses) }
        }

        let limit: Int
        /// The least recently used entry is first.
        var entries: [Entry] = []
        var age = 0.0

        var cost: Int { self.entries.reduce(0) { $0 + $1.cost } }

        mutating func insert(_ key: Int, cost: Int, worth: Double) -> [Int] {
            self.entries.removeAll { $0.key == key }
            guard cost <= self.limit else { return [] }
            self.entries.append(Entry(key: key, cost: cost, worth: worth, age: self.age))
            var evicted: [Int] = []
            while self.cost > self.limit {
                let least = self.entries.map(\.priority).min()!
                let victim = self.entries.remove(at: self.entries.firstIndex { $0.priority == least }!)
                self.age = max(self.age, least)
                if victim.key == key { break }
                evicted.append(victim.key)
            }
            return evicted
        }

        mutating func use(_ key: Int) {
            guard let place = self.entries.firstIndex(where: { $0.key == key }) else { return }
            var entry = self.entries.remove(at: place)
            entry.uses = min(entry.uses + 1, 255)
            entry.age = self.age
            self.entries.append(entry)
        }
    }

    @Test("random operations have the results of a plain list", arguments: TestSeeds.first(20))
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // With few keys, uses reach their limit.
        let (limit, keyCount) = (Int.random(in: 0...200, using: &random), Int.random(in: 1...60, using: &random))
        var (policy, reference) = (GreedyDual<Int>(costLimit: limit), Reference(limit: limit))
        for step in 0..<1000 {
            let key = Int.random(in: 0..<keyCount, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let cost = Int.random(in: 0...40, using: &random)
                // Multiples of a quarter: sums are exact in any order.
                let worth = Double(Int.random(in: 0...20, using: &random)) / 4
                let (isKept, evicted) = policy.insert(key, cost: cost, worth: worth)
                try #require(evicted == reference.insert(key, cost: cost, worth: worth), "step \(step)")
                try #require(isKept == reference.entries.contains { $0.key == key }, "step \(step)")
            case 4..<9:
                policy.use(key)
                reference.use(key)
            default:
                let had = policy.remove(key)
                try #require(had == reference.entries.contains { $0.key == key }, "step \(step)")
                reference.entries.removeAll { $0.key == key }
            }
            try #require(policy.count == reference.entries.count && policy.cost == reference.cost, "step \(step)")
        }
    }
}

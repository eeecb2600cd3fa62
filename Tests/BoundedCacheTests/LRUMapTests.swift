import PosterTesting
import Testing

@testable import BoundedCache

struct LRUMapTests {
    /// A naive implementation of the map.
    private struct Model {
        var entries: [(key: Int, value: Int, cost: Int)] = []  // oldest first
        mutating func value(for key: Int) -> Int? {
            guard let index = self.entries.firstIndex(where: { $0.key == key }) else { return nil }
            self.entries.append(self.entries.remove(at: index))
            return self.entries.last!.value
        }
        mutating func insert(_ value: Int, for key: Int, cost: Int, limit: Int) {
            self.entries.removeAll { $0.key == key }
            guard cost <= limit else { return }
            self.entries.append((key, value, cost))
            while self.entries.reduce(0, { $0 + $1.cost }) > limit { self.entries.removeFirst() }
        }
    }

    @Test("random operations have the results of a naive model", arguments: TestSeeds.first(5))
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var map = LRUMap<Int, Int>(costLimit: 400)
        var model = Model()
        for step in 0..<5000 {
            let key = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                #expect(map.value(for: key) == model.value(for: key), "step \(step)")
            case 2, 3:
                let cost = Int.random(in: 0...60, using: &random)
                _ = map.insert(step, for: key, cost: cost)
                model.insert(step, for: key, cost: cost, limit: 400)
            default:
                let removed = map.remove(key)
                #expect(removed == model.entries.first { $0.key == key }?.value, "step \(step)")
                model.entries.removeAll { $0.key == key }
            }
            #expect(map.count == model.entries.count, "step \(step)")
            #expect(map.cost == model.entries.reduce(0) { $0 + $1.cost }, "step \(step)")
        }
    }

    @Test func whatCostsMoreThanTheLimitIsNotKeptAndReplacesWhatWasThere() {
        var map = LRUMap<String, Int>(costLimit: 100)
        _ = map.insert(1, for: "a", cost: 10)
        #expect(map.insert(2, for: "a", cost: 101) == [1])
        #expect(map.value(for: "a") == nil)
        #expect(map.cost == 0)
    }

    @Test func bothLimitsEvictTheLeastRecentlyUsed() {
        var map = LRUMap<Int, Int>(countLimit: 3, costLimit: 10)
        for key in 0..<3 { #expect(map.insert(key, for: key) == []) }
        #expect(map.value(for: 0) == 0)
        #expect(map.insert(3, for: 3) == [1])
        #expect(map.insert(4, for: 4, cost: 9) == [2, 0])
        #expect(Set(map.keys) == [3, 4])
        #expect(map.insert(5, for: 3, cost: 2) == [3, 4])
        #expect((map.count, map.cost) == (1, 2))
    }
}

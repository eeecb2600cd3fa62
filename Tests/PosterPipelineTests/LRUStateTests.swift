import Testing

@testable import PosterPipeline

struct LRUStateTests {
    /// The same thing in ten naive lines.
    private struct Model {
        var entries: [(key: Int, value: Int, cost: Int)] = []  // oldest first
        mutating func touch(_ key: Int) -> Int? {
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

    @Test func behavesLikeANaiveModelOverTwentyThousandRandomSteps() {
        var random = SeededGenerator(seed: 42)
        var state = LRUState<Int, Int>()
        var model = Model()
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                #expect(state.touch(key) == model.touch(key), "step \(step)")
            case 2, 3:
                let cost = Int.random(in: 0...60, using: &random)
                _ = state.insert(step, for: key, cost: cost, limit: 400)
                model.insert(step, for: key, cost: cost, limit: 400)
            default:
                let removed = state.remove(key)
                #expect(removed == model.entries.first { $0.key == key }?.value, "step \(step)")
                model.entries.removeAll { $0.key == key }
            }
            #expect(state.count == model.entries.count, "step \(step)")
            #expect(state.cost == model.entries.reduce(0) { $0 + $1.cost }, "step \(step)")
        }
    }

    @Test func whatCostsMoreThanTheLimitIsNotKeptAndReplacesWhatWasThere() {
        var state = LRUState<String, Int>()
        _ = state.insert(1, for: "a", cost: 10, limit: 100)
        #expect(state.insert(2, for: "a", cost: 101, limit: 100) == [1])
        #expect(state.touch("a") == nil)
        #expect(state.cost == 0)
    }
}

/// A generator whose numbers are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var z = self.state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

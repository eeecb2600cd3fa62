import PosterTesting
import Testing

@testable import BoundedCache

struct TinyLFUTests {
    /// The same policy with lists that are searched linearly; only the sketch is shared.
    private struct Model {
        struct Entry: Equatable {
            let key: Int
            let value: Int
            let cost: Int
            let worth: Float
        }

        let limit: Int
        var window: [Entry] = []  // oldest first, like the other lists
        var probation: [Entry] = []
        var protected: [Entry] = []
        var sketch = FrequencySketch()

        var count: Int { self.window.count + self.probation.count + self.protected.count }
        var cost: Int { Self.cost(self.window + self.probation + self.protected) }

        static func cost(_ entries: [Entry]) -> Int { entries.reduce(0) { $0 + $1.cost } }

        mutating func value(for key: Int) -> Int? {
            guard let entry = (self.window + self.probation + self.protected).first(where: { $0.key == key }) else {
                return nil
            }
            self.sketch.add(hash(key), entryCount: self.count)
            if let index = self.window.firstIndex(of: entry) {
                self.window.append(self.window.remove(at: index))
            } else {
                self.probation.removeAll { $0 == entry }
                self.protected.removeAll { $0 == entry }
                self.protected.append(entry)
                while Self.cost(self.protected) > (self.limit - self.limit / 10) / 5 * 4 {
                    self.probation.append(self.protected.removeFirst())
                }
            }
            return entry.value
        }

        mutating func insert(_ value: Int, for key: Int, cost: Int, worth: Float) {
            self.remove(key)
            guard cost <= self.limit else { return }
            self.window.append(Entry(key: key, value: value, cost: cost, worth: worth))
            self.sketch.reserve(self.count)
            self.sketch.add(hash(key), entryCount: self.count)
            while Self.cost(self.window) > self.limit / 10, self.window.count > 1 {
                self.admit(self.window.removeFirst())
            }
            while self.cost > self.limit {
                if self.probation.isEmpty { self.protected.removeFirst() } else { self.probation.removeFirst() }
            }
        }

        private mutating func admit(_ candidate: Entry) {
            let main = self.limit - self.limit / 10
            while Self.cost(self.probation + self.protected) + candidate.cost > main {
                guard let victim = self.probation.first, self.saving(candidate) > self.saving(victim) else { return }
                self.probation.removeFirst()
            }
            self.probation.append(candidate)
        }

        private func saving(_ entry: Entry) -> Float {
            Float(self.sketch.frequency(of: hash(entry.key))) * entry.worth
        }

        @discardableResult
        mutating func remove(_ key: Int) -> Int? {
            let entry = (self.window + self.probation + self.protected).first { $0.key == key }
            self.window.removeAll { $0.key == key }
            self.probation.removeAll { $0.key == key }
            self.protected.removeAll { $0.key == key }
            return entry?.value
        }
    }

    @Test(
        arguments: [
            (0, [1]), (1, [1]), (9, [1]), (60, [1]), (400, [1]), (3000, [1]), (60, [0.25, 1, 40]), (400, [0, 1, 3]),
        ] as [(Int, [Float])], TestSeeds.first(2))
    func behavesLikeAPlainModelOverRandomSteps(_ setting: (limit: Int, worths: [Float]), seed: UInt64) {
        let (limit, worths) = setting
        var random = SeededGenerator(seed: seed)
        var state = TinyLFU<Int, Int>(limit: limit)
        var model = Model(limit: limit)
        for step in 0..<5000 {
            // Small keys are more frequent.
            let key = Int.random(in: 0..<Int.random(in: 1...120, using: &random), using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                #expect(state.value(for: key, hash: hash(key)) == model.value(for: key), "step \(step)")
            case 5..<9:
                let cost = Int.random(in: 0...Int.random(in: 1...60, using: &random), using: &random)
                let worth = worths[Int.random(in: worths.indices, using: &random)]
                let before = state.count
                let had = state.contains(key, hash: hash(key))
                let dropped = state.insert(step, for: key, hash: hash(key), cost: cost, worth: worth)
                model.insert(step, for: key, cost: cost, worth: worth)
                #expect(state.count == before + (cost <= limit ? 1 : 0) - dropped.count, "step \(step)")
                if had { #expect(dropped.first?.key == key) }
            default:
                let removed = state.remove(key, hash: hash(key))
                #expect(removed?.value == model.remove(key), "step \(step)")
            }
            #expect(state.count == model.count, "step \(step)")
            #expect(state.cost == model.cost, "step \(step)")
            #expect(state.cost <= limit, "step \(step)")
        }
    }

    @Test func keysOfEqualHashesAreKeptApart() {
        var state = TinyLFU<Int, Int>(limit: 100)
        for key in 0..<50 { _ = state.insert(key, for: key, hash: 7, cost: 1) }
        for key in stride(from: 0, to: 50, by: 3) { #expect(state.remove(key, hash: 7)?.value == key) }
        for key in 0..<50 { #expect(state.value(for: key, hash: 7) == (key % 3 == 0 ? nil : key)) }
    }

    @Test func theNewestEntryIsKeptEvenIfItFillsTheWholeLimit() {
        var state = TinyLFU<Int, Int>(limit: 100)
        for key in 0..<20 {
            _ = state.insert(key, for: key, hash: hash(key), cost: 5)
            _ = state.value(for: key, hash: hash(key))
        }
        let dropped = state.insert(99, for: 99, hash: hash(99), cost: 100)
        #expect(dropped.map(\.key).sorted() == Array(0..<20))
        #expect(state.value(for: 99, hash: hash(99)) == 99)
    }

    @Test func aScanLeavesWhatIsAskedForOftenAlone() {
        var state = TinyLFU<Int, Int>(limit: 1000)
        for _ in 0..<5 {
            for key in 0..<80 where state.value(for: key, hash: hash(key)) == nil {
                _ = state.insert(key, for: key, hash: hash(key), cost: 10)
            }
        }
        for key in 1000..<2000 { _ = state.insert(key, for: key, hash: hash(key), cost: 10) }
        let kept = (0..<80).count { state.contains($0, hash: hash($0)) }
        #expect(kept >= 75)  // with recency alone: 0
    }

    @Test func entriesNoLongerRequestedAreEvictedForNewOnes() {
        var state = TinyLFU<Int, Int>(limit: 1000)
        for generation in 0..<5 {
            for _ in 0..<40 {
                for key in generation * 80..<generation * 80 + 80 where state.value(for: key, hash: hash(key)) == nil {
                    _ = state.insert(key, for: key, hash: hash(key), cost: 10)
                }
            }
            let kept = (generation * 80..<generation * 80 + 80).count { state.contains($0, hash: hash($0)) }
            #expect(kept >= 70, "generation \(generation)")
        }
    }

    @Test("of entries that are asked for as often, those stay that save more", arguments: [(1, 8...12), (8, 18...20)])
    func worthDecides(worth: Float, expected: ClosedRange<Int>) {
        var state = TinyLFU<Int, Int>(limit: 1000)
        // Half of the 200 entries fit; every tenth entry has the worth of the argument.
        for _ in 0..<20 {
            for key in 0..<200 where state.value(for: key, hash: hash(key)) == nil {
                _ = state.insert(key, for: key, hash: hash(key), cost: 10, worth: key % 10 == 0 ? worth : 1)
            }
        }
        #expect(expected.contains((0..<20).count { state.contains(10 * $0, hash: hash(10 * $0)) }))
    }

    @Test("what is asked for much more often stays although it saves less")
    func frequencyCountsToo() {
        var state = TinyLFU<Int, Int>(limit: 1000)
        for _ in 0..<12 {
            for key in 0..<50 where state.value(for: key, hash: hash(key)) == nil {
                _ = state.insert(key, for: key, hash: hash(key), cost: 10)
            }
        }
        for key in 1000..<2000 { _ = state.insert(key, for: key, hash: hash(key), cost: 10, worth: 2) }
        #expect((0..<50).count { state.contains($0, hash: hash($0)) } >= 47)
    }

    @Test("equal worth changes nothing, whatever it is", arguments: [0.125, 64] as [Float])
    func equalWorth(worth: Float) {
        var random = SeededGenerator(seed: 7)
        var (one, other) = (TinyLFU<Int, Int>(limit: 700), TinyLFU<Int, Int>(limit: 700))
        for step in 0..<20_000 {
            let key = Int.random(in: 0..<Int.random(in: 1...200, using: &random), using: &random)
            let cost = Int.random(in: 1...40, using: &random)
            #expect(one.value(for: key, hash: hash(key)) == other.value(for: key, hash: hash(key)), "step \(step)")
            guard !one.contains(key, hash: hash(key)) else { continue }
            let dropped = one.insert(step, for: key, hash: hash(key), cost: cost).map(\.key)
            #expect(
                other.insert(step, for: key, hash: hash(key), cost: cost, worth: worth).map(\.key) == dropped,
                "step \(step)")
        }
    }

    @Test func keysThatNeverComeAgainDoNotMakeItLarger() {
        var state = TinyLFU<Int, Int>(limit: 1000)
        for key in 0..<100_000 { _ = state.insert(key, for: key, hash: hash(key), cost: 10) }
        #expect(state.count <= 100)
        #expect(state.nodes.count <= 110)
        #expect(state.sketch.counters.count <= 64 * 128)
        #expect(state.index.buckets.count <= 256)
    }
}

/// A hash that is the same in every run.
func hash(_ key: Int) -> UInt {
    var generator = SeededGenerator(seed: UInt64(bitPattern: Int64(key)))
    return UInt(generator.next())
}

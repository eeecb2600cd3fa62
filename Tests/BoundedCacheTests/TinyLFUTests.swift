import Testing

@testable import BoundedCache

struct TinyLFUTests {
    /// The same policy with lists that are searched from end to end; only the sketch is the same.
    private struct Model {
        struct Entry: Equatable {
            let key: Int
            let value: Int
            let cost: Int
        }

        let limit: Int
        var window: [Entry] = []  // oldest first, as the others
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

        mutating func insert(_ value: Int, for key: Int, cost: Int) {
            self.remove(key)
            guard cost <= self.limit else { return }
            self.window.append(Entry(key: key, value: value, cost: cost))
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
                guard let victim = self.probation.first,
                    self.sketch.frequency(of: hash(candidate.key)) > self.sketch.frequency(of: hash(victim.key))
                else { return }
                self.probation.removeFirst()
            }
            self.probation.append(candidate)
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

    @Test(arguments: [0, 1, 9, 60, 400, 3000])
    func behavesLikeAPlainModelOverTwentyThousandRandomSteps(limit: Int) {
        var random = SeededGenerator(seed: 42)
        var state = TinyLFU<Int, Int>(limit: limit)
        var model = Model(limit: limit)
        for step in 0..<20_000 {
            // Small keys are the popular ones.
            let key = Int.random(in: 0..<Int.random(in: 1...120, using: &random), using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                #expect(state.value(for: key, hash: hash(key)) == model.value(for: key), "step \(step)")
            case 5..<9:
                let cost = Int.random(in: 0...Int.random(in: 1...60, using: &random), using: &random)
                let before = state.count
                let had = state.contains(key, hash: hash(key))
                let dropped = state.insert(step, for: key, hash: hash(key), cost: cost)
                model.insert(step, for: key, cost: cost)
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
        #expect(kept >= 75)  // of recency alone: 0
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

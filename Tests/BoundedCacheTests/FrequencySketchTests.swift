import Testing

@testable import BoundedCache

struct FrequencySketchTests {
    @Test func countsUpToFifteenAndNeverTooLittle() {
        var sketch = FrequencySketch()
        sketch.reserve(1000)
        for key in 0..<100 {
            for _ in 0..<key % 20 { sketch.add(hash(key), entryCount: 1000) }
        }
        for key in 0..<100 { #expect(sketch.frequency(of: hash(key)) >= min(key % 20, 15)) }
        let exact = (0..<100).count { Int(sketch.frequency(of: hash($0))) == min($0 % 20, 15) }
        #expect(exact >= 98)
        #expect(sketch.frequency(of: hash(12_345)) <= 1)
    }

    @Test func halvesAllCountsAfterTenForEachEntry() {
        var sketch = FrequencySketch()
        sketch.reserve(100)
        for _ in 0..<8 { sketch.add(hash(1), entryCount: 100) }
        for key in 1000..<1000 + 991 { sketch.add(hash(key), entryCount: 100) }
        let before = sketch.frequency(of: hash(1))
        sketch.add(hash(2), entryCount: 100)
        #expect(sketch.frequency(of: hash(1)) == before / 2)
    }

    @Test func keepsItsCountsWhenItGrows() {
        var sketch = FrequencySketch()
        for key in 0..<4 {
            for _ in 0..<key { sketch.add(hash(key), entryCount: 1000) }
        }
        let before = (0..<4).map { sketch.frequency(of: hash($0)) }
        sketch.reserve(5000)
        #expect((0..<4).map { sketch.frequency(of: hash($0)) } == before)
    }
}

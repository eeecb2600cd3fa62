import Testing

@testable import PosterBench

@Suite struct SoakResultTests {
    static let budget = 64 << 20

    /// A hundred samples of a process with a full cache.
    static func result(
        failures: Int = 0, rendered: Int = 100_000, workers: (Int) -> Int = { _ in 0 }, _ anonymous: (Int) -> Int
    ) -> SoakResult {
        let samples = (0...100).map { index in
            SoakLoad.Sample(
                renders: 1000 * index, resident: 300 << 20, anonymous: anonymous(index), peak: 300 << 20,
                cached: Self.budget, workers: workers(index))
        }
        return SoakResult(
            samples: samples, failures: failures, renders: 100_000, rendered: rendered, memoryBudget: Self.budget)
    }

    @Test("memory that goes up and down around a level within the budget passes")
    func passes() {
        #expect(Self.result { Self.budget + (10 << 20) + ($0 % 7) << 20 }.verdict == nil)
    }

    @Test("workers whose memory climbs fail, and those whose memory goes up and down pass")
    func workers() {
        #expect(Self.result(workers: { $0 << 17 }) { _ in Self.budget }.verdict?.contains("workers") == true)
        #expect(Self.result(workers: { ($0 % 7) << 20 }) { _ in Self.budget }.verdict == nil)
    }

    @Test("what happens while the cache fills does not count")
    func warmsUp() {
        #expect(Self.result { $0 < 20 ? $0 << 20 : 80 << 20 }.verdict == nil)
    }

    @Test("memory above the budget and the allowance fails, once is enough")
    func isTooMuch() throws {
        let verdict = try #require(Self.result { ($0 == 70 ? 85 : 80) << 20 }.verdict)
        #expect(verdict.contains("85.0 MiB"))
        #expect(verdict.contains("84.0"))
    }

    @Test("memory that climbs fails even below the limit")
    func climbs() throws {
        let verdict = try #require(Self.result { (60 << 20) + $0 * (64 << 10) }.verdict)
        #expect(verdict.contains("climbs by 6.2 MiB") || verdict.contains("climbs by 6.3 MiB"))
    }

    @Test("requests that were answered from the cache fail the run: they prove nothing")
    func repetitions() {
        #expect(Self.result(rendered: 98_000) { _ in 1 }.verdict?.contains("98000 of 100000") == true)
    }

    @Test("planes that were never used fail the run: it proves nothing of them")
    func unusedPlanes() {
        var result = Self.result { _ in 1 }
        result.planeHits = 0
        #expect(result.verdict?.contains("planes") == true)
        result.planeHits = 1
        #expect(result.verdict == nil)
    }

    @Test("renders that failed fail the run")
    func failures() {
        #expect(Self.result(failures: 1) { _ in 1 }.verdict?.contains("1 renders") == true)
    }
}

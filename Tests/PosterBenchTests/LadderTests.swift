import PosterCodec
import Testing

@testable import PosterBench

@Suite struct LadderTests {
    @Test("a ladder has every width in every format")
    func hasEverything() throws {
        let ladder = try Ladder(widths: "92,342", formats: "jpeg,webp")
        #expect(ladder.targets.map(\.width) == [92, 92, 342, 342])
        #expect(ladder.targets.map(\.format) == [.jpeg, .webp, .jpeg, .webp])
        #expect(Ladder.usual.targets.count == 12)
    }

    @Test(
        "what is no width or format is refused",
        arguments: [("92,x", "jpeg"), ("0", "jpeg"), ("92", "gif"), ("", "jpeg"), ("92", "")])
    func refuses(widths: String, formats: String) {
        #expect(throws: BenchError.self) { try Ladder(widths: widths, formats: formats) }
    }

    @Test("the best time of each variant counts, whatever round it was in")
    func best() {
        #expect(FileLadder.best([[3, 10], [5, 7]]) == 10)
        #expect(FileLadder.best([]) == nil)
    }

    @Test("least squares find the numbers that equations were made of")
    func solves() throws {
        let rows = [[1000.0, 4, 0], [3000, 0, 9], [500, 7, 0], [800, 0, 2]]
        let values = try #require(
            LeastSquares.solve(rows.map { ($0, 4.8 * $0[0] + 21 * $0[1] + 37 * $0[2]) }))
        for (value, expected) in zip(values, [4.8, 21, 37]) { #expect(abs(value - expected) < 1e-6) }
    }

    @Test("too few equations, or the same over and over, determine nothing")
    func isUndetermined() {
        #expect(LeastSquares.solve([]) == nil)
        #expect(LeastSquares.solve([([1, 2], 3)]) == nil)
        #expect(LeastSquares.solve([([1, 2], 3), ([1, 2], 3), ([2, 4], 6)]) == nil)
    }
}

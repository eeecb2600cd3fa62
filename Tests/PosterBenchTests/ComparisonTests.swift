import Flights
import Foundation
import PosterTesting
import Testing

@testable import PosterBench

@Suite struct ComparisonTests {
    static func machine(kernels: String = "avx2") -> Machine {
        Machine(
            cpu: "a CPU", cores: 2, system: "a system", codec: "1", kernels: kernels, commit: "abc", date: "2026-01-01")
    }

    static func run(_ figures: [Figure], kernels: String = "avx2") -> Run {
        Run(machine: Self.machine(kernels: kernels), command: ["quick"], figures: figures)
    }

    static func bytes(_ value: Double) -> Figure {
        Figure("peak", value, "bytes", gate: Gate(.lower, band: 0.05, slack: 10))
    }

    static func ratio(_ value: Double) -> Figure {
        Figure("hit ratio", value, "%", gate: Gate(.higher, band: 0.01))
    }

    @Test("a figure that should be low may rise by its band and its slack, and no more")
    func lowerIsBetter() {
        for (value, isGood) in [(1000.0, true), (1060, true), (1061, false), (1, true)] {
            let comparison = Comparison(old: Self.run([Self.bytes(1000)]), new: Self.run([Self.bytes(value)]))
            #expect(comparison.isGood == isGood, "\(value)")
        }
    }

    @Test("a figure that should be high may fall by its band, and no more")
    func higherIsBetter() {
        for (value, isGood) in [(50.0, true), (49.5, true), (49.4, false), (90, true)] {
            let comparison = Comparison(old: Self.run([Self.ratio(50)]), new: Self.run([Self.ratio(value)]))
            #expect(comparison.isGood == isGood, "\(value)")
        }
    }

    @Test("figures without a gate are shown and never fail")
    func flickeringFigures() {
        let old = Self.run([Self.bytes(1), Figure("time", 1, "ms")])
        let new = Self.run([Self.bytes(1), Figure("time", 100, "ms")])
        let comparison = Comparison(old: old, new: new)
        #expect(comparison.isGood)
        let text = comparison.text(isShort: false)
        #expect(text.contains("100.000"))
        #expect(text.contains("not gated"))
    }

    @Test("a gated figure that the new run lacks fails, and is named")
    func missingFigures() {
        let comparison = Comparison(old: Self.run([Self.bytes(1), Figure("time", 1, "ms")]), new: Self.run([]))
        #expect(!comparison.isGood)
        let text = comparison.text(isShort: true)
        #expect(text.contains("missing now: peak"))
        #expect(!text.contains("missing now: time"))
    }

    @Test("a figure in another unit is another figure")
    func otherUnits() {
        let (old, new) = (Self.run([Self.bytes(10)]), Self.run([Figure("peak", 0.01, "MiB", gate: Self.bytes(1).gate)]))
        #expect(!Comparison(old: old, new: new).isGood)
    }

    @Test("runs that have nothing in common that could fail do not pass")
    func nothingGated() {
        let run = Self.run([Figure("time", 1, "ms")])
        let comparison = Comparison(old: run, new: run)
        #expect(!comparison.isGood)
        #expect(comparison.text(isShort: true).contains("No gated figures were compared"))
    }

    @Test("what depends on the machine is compared on one machine only, and the text says so")
    func machines() {
        let gate = Gate(.lower, band: 0, isPerMachine: true)
        let (old, new) = ([Figure("instructions", 1, "", gate: gate)], [Figure("instructions", 2, "", gate: gate)])
        #expect(!Comparison(old: Self.run(old), new: Self.run(new)).isGood)
        let other = Comparison(old: Self.run(old), new: Self.run(new, kernels: "portable"))
        #expect(other.isGood)
        #expect(other.text(isShort: true).contains("are not compared"))
        #expect(Comparison(old: Self.run(old), new: Self.run([], kernels: "portable")).isGood)
    }

    @Test("a run is read as it was written, and what is no run is refused in words")
    func files() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/run.json"
        try Self.run([Self.bytes(12.5), Self.ratio(3)]).write(to: path)
        let run = try Run(file: path)
        let values = run.figures.map { $0.value }
        #expect(values == [12.5, 3])
        #expect(run.figures[0].gate?.slack == 10)
        #expect(run.machine == Self.machine())
        for text in ["", "{}", "[1, 2]", "{\"schema\": 99}"] {
            try Data(text.utf8).write(to: URL(filePath: path))
            let error = #expect(throws: BenchError.self) { _ = try Run(file: path) }
            #expect(error?.description.contains("run.json") == true)
        }
        #expect(throws: BenchError.self) { _ = try Run(file: folder.path + "/nothing.json") }
        try Data("{\"schema\": 99}".utf8).write(to: URL(filePath: path))
        #expect(#expect(throws: BenchError.self) { _ = try Run(file: path) }?.description.contains("layout 99") == true)
        try Self.run([Self.bytes(1), Self.bytes(2)]).write(to: path)
        #expect(#expect(throws: BenchError.self) { _ = try Run(file: path) }?.description.contains("one name") == true)
    }
}

/// Measures the memory of one poster for each coding and size of original.
struct MemoryOfKinds {
    private struct Case {
        let kind: OriginalKind
        let size: OriginalSize
        let whole, downsampled: PosterMemory

        var ratio: Double { Double(self.whole.growth) / Double(max(1, self.downsampled.growth)) }
        var heapRatio: Double { Double(self.whole.heapPeak) / Double(max(1, self.downsampled.heapPeak)) }
    }

    private let width: Int
    private var cases: [Case] = []

    init(
        kinds: [OriginalKind], sizes: [OriginalSize], width: Int, hasColdCode: Bool = false
    ) throws {
        self.width = width
        let originals = MadeOriginals()
        var progress = Progress(count: kinds.count * sizes.count)
        for kind in kinds {
            for size in sizes {
                progress.step("\(kind.rawValue) \(size.name)")
                let file = try originals.file(kind, size)
                let baseline = try PosterMemory.Baseline(file: file, hasColdCode: hasColdCode)
                self.cases.append(
                    Case(
                        kind: kind, size: size,
                        whole: try PosterMemory(of: .whole, file: file, width: width, above: baseline),
                        downsampled: try PosterMemory(of: .jpeg, file: file, width: width, above: baseline)))
            }
        }
        progress.finish()
    }

    var outcome: Outcome {
        var outcome = Outcome()
        outcome.tables = [
            .init(
                title: "Memory of one poster, \(self.width) pixels wide, above a process that holds the original (MiB)",
                rows: [
                    [
                        "original", "whole: resident", "heap", "downsampled: resident", "heap", "allocations",
                        "whole / downsampled", "heap",
                    ]
                ] + self.cases.map(Self.row))
        ]
        outcome.notes = self.flatness
        outcome.figures = self.cases.flatMap(Self.figures)
        outcome.charts = [
            BarChart(
                name: "memory", title: "Peak memory of one poster, \(self.width) pixels wide", unit: "MiB",
                series: ["whole bitmap, then resized", "downsampled while decoding"],
                groups: self.cases.map {
                    .init(
                        title: "\($0.kind.rawValue) \($0.size.name)",
                        values: [$0.whole.growth.mebibytes, $0.downsampled.growth.mebibytes])
                }, places: 2)
        ]
        return outcome
    }

    private static func row(_ one: Case) -> [String] {
        [
            "\(one.kind.rawValue) \(one.size.name)", one.whole.growth.mebibytes.fixed(2),
            one.whole.heapPeak.mebibytes.fixed(2), one.downsampled.growth.mebibytes.fixed(2),
            one.downsampled.heapPeak.mebibytes.fixed(2), "\(one.downsampled.allocations)", one.ratio.fixed(1),
            one.heapRatio.fixed(1),
        ]
    }

    private static func figures(_ one: Case) -> [Figure] {
        let name = "memory \(one.kind.rawValue) \(one.size.name)"
        return [
            // Resident memory grows by pages, which the kernel counts in batches.
            Figure(
                "\(name) downsampled peak", Double(one.downsampled.growth), "bytes",
                gate: Gate(.lower, band: 0.05, slack: 393_216)),
            Figure(
                "\(name) downsampled heap", Double(one.downsampled.heapPeak), "bytes",
                gate: Gate(.lower, band: 0.02, slack: 16_384)),
            Figure(
                "\(name) downsampled allocations", Double(one.downsampled.allocations), "",
                gate: Gate(.lower, band: 0.05, slack: 8)),
            Figure("\(name) whole peak", Double(one.whole.growth), "bytes"),
            Figure("\(name) whole heap", Double(one.whole.heapPeak), "bytes"),
            Figure("\(name) ratio", one.ratio, ""),
        ]
    }

    /// The growth with taller originals, for codings that stream.
    private var flatness: [String] {
        OriginalKind.allCases.filter(\.streams).compactMap { kind in
            let cases = self.cases.filter { $0.kind == kind && $0.size != .small }
            guard let first = cases.first, let last = cases.last, cases.count > 1 else { return nil }
            let growth = (last.downsampled.growth - first.downsampled.growth).mebibytes
            let heap = (last.downsampled.heapPeak - first.downsampled.heapPeak).mebibytes
            let more = last.downsampled.allocations - first.downsampled.allocations
            return "\(kind.rawValue), \(first.size.name) to \(last.size.name): \(growth.fixed(2)) MiB more resident, "
                + "\(heap.fixed(2)) MiB more heap, \(more) more allocations."
        }
    }
}

extension Int {
    var mebibytes: Double { Double(self) / 1_048_576 }
}

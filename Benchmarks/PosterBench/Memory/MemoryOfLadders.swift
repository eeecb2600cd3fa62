import PosterCodec

/// Measures the memory of a job that renders all variants of an original, for each coding and size.
struct MemoryOfLadders {
    private struct Case {
        let name: String
        let ladder, single: PosterMemory
    }

    private var cases: [Case] = []

    init(kinds: [OriginalKind], sizes: [OriginalSize], hasColdCode: Bool = false) throws {
        let originals = MadeOriginals()
        let widest = Ladder.usual.targets.compactMap(\.width).max()!
        var progress = Progress(count: kinds.count * sizes.count)
        for kind in kinds {
            for size in sizes {
                let name = "\(kind.rawValue) \(size.name)"
                progress.step("\(name), a ladder")
                let file = try originals.file(kind, size)
                let baseline = try PosterMemory.Baseline(file: file, hasColdCode: hasColdCode)
                self.cases.append(
                    Case(
                        name: name, ladder: try PosterMemory(of: .ladder, file: file, width: widest, above: baseline),
                        single: try PosterMemory(of: .webp, file: file, width: widest, above: baseline)))
            }
        }
        progress.finish()
    }

    var outcome: Outcome {
        var outcome = Outcome()
        let title = "Memory of \(Ladder.usual.targets.count) variants in one job, above a process with the original"
        let header = ["original", "resident", "heap", "allocations", "their bytes", "widest WebP: resident", "heap"]
        let rows = self.cases.map { one in
            [
                one.name, one.ladder.growth.mebibytes.fixed(2), one.ladder.heapPeak.mebibytes.fixed(2),
                "\(one.ladder.allocations)", one.ladder.outputBytes.mebibytes.fixed(2),
                one.single.growth.mebibytes.fixed(2), one.single.heapPeak.mebibytes.fixed(2),
            ]
        }
        outcome.tables = [.init(title: "\(title) (MiB)", rows: [header] + rows)]
        outcome.figures = self.cases.flatMap { one in
            let name = "memory \(one.name) ladder"
            return [
                Figure(
                    "\(name) peak", Double(one.ladder.growth), "bytes", gate: Gate(.lower, band: 0.05, slack: 393_216)),
                Figure(
                    "\(name) heap", Double(one.ladder.heapPeak), "bytes", gate: Gate(.lower, band: 0.02, slack: 16_384)),
                Figure(
                    "\(name) allocations", Double(one.ladder.allocations), "", gate: Gate(.lower, band: 0.05, slack: 8)),
            ]
        }
        return outcome
    }
}

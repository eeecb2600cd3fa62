import Glibc

/// How far the files of a run got, by format, and the most of its estimate that a render took. Printed at the end, so that a run
/// of files that are all refused at once is not taken for one that has tried something.
struct FuzzStatistics {
    enum Stage: CaseIterable {
        case recognised, inspected, rendered
    }

    // One thread renders.
    nonisolated(unsafe) static var shared = FuzzStatistics()

    private struct Counts {
        var stages: [Stage: Int] = [:]
        var renderCount = 0
        /// The largest peak beyond the results, by the estimate.
        var share = 0.0
        /// The most bytes beyond the estimate and the results.
        var excess = Int.min
    }

    private var counts: [ImageFormat: Counts] = [:]

    private init() {
        atexit { FuzzStatistics.shared.report() }
    }

    mutating func note(_ stage: Stage, _ format: ImageFormat) {
        self.counts[format, default: Counts()].stages[stage, default: 0] += 1
    }

    mutating func note(peak: Int, planned: Int, of format: ImageFormat) {
        var counts = self.counts[format] ?? Counts()
        counts.renderCount += 1
        counts.share = max(counts.share, Double(peak) / Double(max(1, planned)))
        counts.excess = max(counts.excess, peak - planned)
        self.counts[format] = counts
    }

    private func report() {
        for (format, counts) in self.counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let stages = Stage.allCases.map { "\(counts.stages[$0] ?? 0) \($0)" }.joined(separator: ", ")
            let percent = Int((100 * counts.share).rounded(.up))
            let excess = counts.renderCount == 0 ? 0 : counts.excess >> 10
            print(
                "\(format.rawValue): \(stages); \(counts.renderCount) measured: at most \(percent) % of the estimate, "
                    + "and \(excess) KiB more than it")
        }
    }
}

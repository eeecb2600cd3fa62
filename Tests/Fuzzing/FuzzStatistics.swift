import Glibc

/// Counts the stages that the files of a run reached, by format, and the largest share of its estimate that a render
/// used. It is printed at the end, to reveal a run in which all files were rejected early.
struct FuzzStatistics {
    enum Stage: CaseIterable {
        case recognised, inspected, rendered
    }

    // Only one thread renders.
    nonisolated(unsafe) static var shared = FuzzStatistics()

    private struct Counts {
        var stages: [Stage: Int] = [:]
        var renderCount = 0
        /// The largest peak without the results, relative to the estimate.
        var share = 0.0
        /// The largest excess over the estimate and the results, in bytes.
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

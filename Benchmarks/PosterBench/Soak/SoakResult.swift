struct SoakResult {
    let samples: [SoakLoad.Sample]
    let failures: Int
    /// Requested and actual numbers of renders.
    let renders, rendered: Int
    /// Budget of variants and planes in bytes.
    let memoryBudget: Int
    /// Renders without a decode; `nil` if planes are not cached.
    var planeHits: Int?

    /// Bytes that a process may use in addition to its caches, without pages of files: heap and threads' working
    /// memory. How many pages of programs and originals are resident depends on the system's reads, not on the renders.
    static let allowance = 20 << 20
    /// Growth of the fitted line over the whole run, in bytes, that still counts as noise rather than a leak.
    static let climb = 4 << 20

    /// Samples after a quarter of the renders, or after the cache is full, whichever is later.
    private var warm: [SoakLoad.Sample] {
        let full = self.samples.map(\.cached).max() ?? 0
        let filled = self.samples.first { $0.cached >= full / 20 * 19 }?.renders ?? 0
        let start = max(self.renders / 4, filled)
        return self.samples.filter { $0.renders >= start }
    }

    /// Peak during renders, including the threads' working memory.
    private var peak: Int { self.warm.map(\.peak).max() ?? 0 }

    private var highest: Int { self.warm.map(\.anonymous).max() ?? 0 }

    private var highestResident: Int { self.warm.map(\.resident).max() ?? 0 }

    private var highestOfWorkers: Int { self.warm.map(\.workers).max() ?? 0 }

    /// Bytes per render, by least squares.
    private func slope(_ value: (SoakLoad.Sample) -> Int) -> Double {
        let points = self.warm.map { (x: Double($0.renders), y: Double(value($0))) }
        guard points.count > 1 else { return 0 }
        let count = Double(points.count)
        let (x, y) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        let variance = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
        return points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / variance
    }

    var verdict: String? {
        if self.failures > 0 { return "FAILED: \(self.failures) renders ended with an error" }
        guard self.rendered * 100 >= self.renders * 99 else {
            return "FAILED: only \(self.rendered) of \(self.renders) requests were different: more originals are needed"
        }
        if self.planeHits == 0 { return "FAILED: nothing was rendered from planes, so they were not tested" }
        guard self.warm.count >= 20 else { return "FAILED: the cache did not fill: more renders are needed" }
        let limit = self.memoryBudget + Self.allowance
        if self.highest > limit {
            return "FAILED: \(self.highest.mebibytes.fixed(1)) MiB, allowed are \(limit.mebibytes.fixed(1))"
        }
        for (name, slope) in [("memory", self.slope(\.anonymous)), ("workers' memory", self.slope(\.workers))] {
            let climb = slope * Double(self.renders)
            if climb > Double(Self.climb) {
                return "FAILED: \(name) climbs by \((climb / 1_048_576).fixed(1)) MiB in \(self.renders) renders"
            }
        }
        return nil
    }

    var outcome: Outcome {
        var outcome = Outcome()
        let shown = stride(from: 0, to: self.samples.count, by: max(1, self.samples.count / 10)).map {
            self.samples[$0]
        }
        outcome.tables = [
            .init(
                title: "Memory in MiB",
                rows: [["renders", "at rest", "with files", "peak before", "cached", "workers"]]
                    + (shown + self.samples.suffix(1)).map {
                        [
                            "\($0.renders)", $0.anonymous.mebibytes.fixed(1), $0.resident.mebibytes.fixed(1),
                            $0.peak.mebibytes.fixed(1), $0.cached.mebibytes.fixed(1),
                            $0.workers.mebibytes.fixed(1),
                        ]
                    })
        ]
        let climb = self.slope(\.anonymous) * Double(self.renders) / 1_048_576
        outcome.notes = [
            "After warming up at most \(self.highest.mebibytes.fixed(1)) MiB at rest (\(self.highestResident.mebibytes.fixed(1)) with pages of files) and "
                + "\(self.peak.mebibytes.fixed(1)) MiB while rendering, with \(self.memoryBudget.mebibytes.fixed(0)) MiB of budget; slope \(climb.fixed(2)) MiB in \(self.renders) "
                + "renders, \(self.rendered) of them different; \(self.failures) errors."
                + (self.highestOfWorkers > 0
                    ? " Workers had at most \(self.highestOfWorkers.mebibytes.fixed(1)) MiB together." : "")
                + (self.planeHits.map { " \($0) jobs used planes instead of a decode." } ?? "")
        ]
        outcome.figures = [
            Figure("soak resident at most", Double(self.highestResident), "bytes", gate: Gate(.lower, band: 0.1)),
            Figure("soak anonymous at most", Double(self.highest), "bytes", gate: Gate(.lower, band: 0.1)),
            Figure("soak peak", Double(self.peak), "bytes"),
            Figure("soak slope", climb, "MiB"),
        ]
        outcome.charts = [
            LineChart(
                name: "soak", title: "Resident memory over \(self.renders) different renders", xTitle: "renders",
                yTitle: "MiB",
                lines: [
                    .init(
                        title: "at rest",
                        points: self.samples.map { (Double($0.renders), $0.anonymous.mebibytes) }),
                    .init(
                        title: "peak while rendering",
                        points: self.samples.map { (Double($0.renders), $0.peak.mebibytes) }),
                    .init(
                        title: "caches",
                        points: self.samples.map { (Double($0.renders), $0.cached.mebibytes) }),
                ])
        ]
        return outcome
    }
}

struct HitRatioReport {
    var ratios: [HitRatios] = []

    var outcome: Outcome {
        var outcome = Outcome()
        for (count, share) in self.settings {
            let lines = self.ratios.filter { $0.requestCount == count && $0.share == share }
            let title = "\(Self.text(count)) requests, \(share) % of the catalogue's bytes"
            outcome.tables.append(
                Outcome.Table(title: "Hit ratio in %: \(title)", rows: Self.rows(lines, \.requests, hasMost: true)))
            outcome.charts.append(
                BarChart(
                    name: "cache-\(count)-\(share)", title: "Hit ratio, \(title)", unit: "%",
                    series: PolicyKind.allCases.map(\.rawValue),
                    groups: lines.map { line in
                        BarChart.Group(title: line.trace, values: PolicyKind.allCases.map { line.requests[$0] })
                    }))
        }
        if let (count, share) = self.settings.last {
            let lines = self.ratios.filter { $0.requestCount == count && $0.share == share }
            let title = "Byte hit ratio in %: \(Self.text(count)) requests, \(share) % of the catalogue's bytes"
            outcome.tables.append(Outcome.Table(title: title, rows: Self.rows(lines, \.bytes, hasMost: false)))
        }
        outcome.figures = self.ratios.flatMap { line in
            PolicyKind.allCases.compactMap { kind in
                line.requests[kind].map { value in
                    Figure(
                        "cache \(line.trace) \(Self.text(line.requestCount)) \(line.share)% hit ratio \(kind.rawValue)",
                        value, "%", gate: kind.isOurs ? Gate(.higher, band: 0.002) : nil)
                }
            }
        }
        return outcome
    }

    /// Counts and shares in the order in which they were first measured.
    private var settings: [(count: Int, share: Int)] {
        self.ratios.reduce(into: []) { settings, line in
            if settings.contains(where: { $0.count == line.requestCount && $0.share == line.share }) { return }
            settings.append((line.requestCount, line.share))
        }
    }

    private static func rows(
        _ lines: [HitRatios], _ values: KeyPath<HitRatios, [PolicyKind: Double]>, hasMost: Bool
    ) -> [[String]] {
        let head = ["trace"] + PolicyKind.allCases.map(\.rawValue) + (hasMost ? ["no limit"] : [])
        return [head]
            + lines.map { line in
                [line.trace] + PolicyKind.allCases.map { line[keyPath: values][$0]?.fixed(2) ?? "–" }
                    + (hasMost ? [line.most.fixed(2)] : [])
            }
    }

    /// Formats 1000000 as 10^6.
    private static func text(_ count: Int) -> String {
        var (rest, zeros) = (count, 0)
        while rest >= 10, rest % 10 == 0 { (rest, zeros) = (rest / 10, zeros + 1) }
        return rest == 1 && zeros >= 4 ? "10^\(zeros)" : String(count)
    }
}

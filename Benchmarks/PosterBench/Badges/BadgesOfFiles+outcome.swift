import PosterCodec

extension BadgesOfFiles {
    var outcome: Outcome {
        var outcome = Outcome()
        outcome.tables = [.init(title: "Posters with three badges, relative to the same without", rows: self.rows)]
        if !self.peerNames.isEmpty {
            outcome.tables.append(
                .init(
                    title: "Posters with three badges per second of CPU time, each program on one thread",
                    rows: self.peerRows))
        }
        outcome.notes =
            self.notes + [
                "Spread: the middle half of all pairs' ratios. Largest: of the files' medians.",
                "The first badges leave \(Double(self.retainedBytes / 1024).fixed(0)) KiB for later ones: the font "
                    + "and drawn glyphs.",
            ]
        outcome.figures = self.targets.flatMap(self.figures)
        return outcome
    }

    private var rows: [[String]] {
        var rows = [["to", "files", "CPU ms without", "with", "ratio", "spread", "largest", "heap KiB", "at most"]]
        for target in self.targets {
            let costs = self.costs(of: target)
            guard !costs.isEmpty else { continue }
            let ratios = costs.flatMap(\.ratios).sorted()
            let medians = costs.map { Median.of($0.ratios) }
            let growth = costs.map { Double($0.heapGrowth) / 1024 }
            rows.append([
                Self.name(target), "\(costs.count)", Self.sum(costs.map(\.plain)).fixed(1),
                Self.sum(costs.map(\.badged)).fixed(1), Median.of(ratios).fixed(4),
                "\(ratios[ratios.count / 4].fixed(4))…\(ratios[ratios.count * 3 / 4].fixed(4))",
                (medians.max() ?? 0).fixed(4), Median.of(growth).fixed(1), (growth.max() ?? 0).fixed(1),
            ])
        }
        return rows
    }

    private var peerRows: [[String]] {
        var rows = [["to", "files", "OneSheet"] + self.peerNames.flatMap { [$0, "ratio"] }]
        for target in self.targets {
            let costs = self.compared(target)
            guard !costs.isEmpty else { continue }
            let ours = Self.rate(costs.map(\.badged))
            var row = [Self.name(target), "\(costs.count)", ours.fixed(1)]
            for name in self.peerNames {
                let theirs = Self.rate(costs.compactMap { $0.peers[name] })
                row += [theirs.fixed(1), (ours / theirs).fixed(2)]
            }
            rows.append(row)
        }
        return rows
    }

    private func figures(_ target: (width: Int, format: OutputFormat)) -> [Figure] {
        let costs = self.costs(of: target)
        guard !costs.isEmpty else { return [] }
        let name = "badges to \(Self.name(target))"
        var figures = [
            Figure("\(name) time", Median.of(costs.flatMap(\.ratios)), ""),
            Figure(
                "\(name) heap", Double(costs.map(\.heapGrowth).max() ?? 0), "bytes",
                gate: Gate(.lower, band: 0.02, slack: 16_384)),
        ]
        let compared = self.compared(target)
        guard !compared.isEmpty else { return figures }
        for peer in self.peerNames {
            let ratio = Self.rate(compared.map(\.badged)) / Self.rate(compared.compactMap { $0.peers[peer] })
            figures.append(Figure("\(name) beside \(peer)", ratio, ""))
        }
        return figures
    }

    private func costs(of target: (width: Int, format: OutputFormat)) -> [BadgeCosts] {
        self.costs.filter { $0.width == target.width && $0.format == target.format }
    }

    /// The costs of files that all programs can render.
    private func compared(_ target: (width: Int, format: OutputFormat)) -> [BadgeCosts] {
        self.costs(of: target).filter { costs in self.peerNames.allSatisfy { costs.peers[$0]?.isEmpty == false } }
    }

    private static func name(_ target: (width: Int, format: OutputFormat)) -> String {
        "\(target.format.rawValue), \(target.width) pixels"
    }

    /// The sum of medians, in milliseconds.
    private static func sum(_ files: [[Double]]) -> Double { files.reduce(0) { $0 + Median.of($1) } }

    /// Posters per second, by the sum of medians.
    private static func rate(_ files: [[Double]]) -> Double { 1000 * Double(files.count) / Self.sum(files) }
}

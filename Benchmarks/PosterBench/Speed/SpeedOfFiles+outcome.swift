import PosterCodec

extension SpeedOfFiles {
    var outcome: Outcome {
        var outcome = Outcome()
        let title = "Posters of \(self.width) pixels, \(self.format.rawValue) out"
        outcome.tables = [.init(title: "\(title): one thread, medians in ms", rows: self.stageRows)]
        if !self.peerNames.isEmpty {
            outcome.tables.append(.init(title: "\(title), beside others: sums and means", rows: self.peerRows))
        }
        outcome.notes = self.notes
        outcome.figures = self.figures
        outcome.charts = [self.chart]
        return outcome
    }

    private var stageRows: [[String]] {
        let header = ["original", "probe", "decode", "resample", "encode", "total", "resample", "bytes"]
        return [header + self.peerNames]
            + self.files.map { file in
                let times = file.milliseconds
                let share = 100 * times.resample / times.total
                return [
                    file.name, times.probe.fixed(2), times.decode.fixed(2), times.resample.fixed(2),
                    times.encode.fixed(2), times.total.fixed(2), "\(share.fixed(0)) %", "\(file.byteCount)",
                ] + self.peerNames.map { file.peers[$0]?.milliseconds.fixed(2) ?? "–" }
            }
    }

    /// The kinds that occur, and all of them together, with their files.
    private var kinds: [(name: String, files: [FileSpeed])] {
        var names: [String] = []
        for file in self.files where !names.contains(file.kind) { names.append(file.kind) }
        return names.sorted().map { name in (name, self.files.filter { $0.kind == name }) } + [("all", self.files)]
    }

    private var peerRows: [[String]] {
        var rows = [
            [
                "originals", "files", "ours ms", "peer", "its ms", "ratio", "bytes", "SSIMULACRA2 ours", "its",
                "SSIM ours", "its", "of chroma", "its",
            ]
        ]
        for (kind, all) in self.kinds {
            for peer in self.peerNames {
                let sums = Sums(of: all, beside: peer)
                guard sums.count > 0 else { continue }
                rows.append([
                    kind, "\(sums.count)", sums.ours.fixed(1), peer, sums.theirs.fixed(1),
                    (sums.ours / sums.theirs).fixed(3), sums.byteRatio.fixed(3), sums.likeness.ssimulacra2.fixed(1),
                    sums.theirLikeness.ssimulacra2.fixed(1), sums.likeness.luma.fixed(4),
                    sums.theirLikeness.luma.fixed(4), sums.likeness.chroma.fixed(4), sums.theirLikeness.chroma.fixed(4),
                ])
            }
        }
        return rows
    }

    private var figures: [Figure] {
        var figures: [Figure] = []
        for file in self.files {
            let name = "speed \(file.name) to \(self.format.rawValue)"
            figures.append(Figure("\(name) total", file.milliseconds.total, "ms"))
            figures.append(Figure("\(name) bytes", Double(file.byteCount), "bytes", gate: Gate(.lower, band: 0.01)))
        }
        for (kind, all) in self.kinds {
            for peer in self.peerNames {
                let sums = Sums(of: all, beside: peer)
                guard sums.count > 0 else { continue }
                let name = "speed \(kind) to \(self.format.rawValue) beside \(peer)"
                figures.append(Figure("\(name) time", sums.ours / sums.theirs, ""))
                figures.append(Figure("\(name) bytes", sums.byteRatio, ""))
                figures.append(Figure("\(name) SSIM", sums.likeness.luma - sums.theirLikeness.luma, ""))
                figures.append(
                    Figure("\(name) SSIMULACRA2", sums.likeness.ssimulacra2 - sums.theirLikeness.ssimulacra2, ""))
            }
        }
        return figures
    }

    private var chart: BarChart {
        let title = "Milliseconds for posters of \(self.width) pixels, \(self.format.rawValue) out, one thread"
        let name = "speed-\(self.format.rawValue)"
        guard !self.peerNames.isEmpty else {
            return BarChart(
                name: name, title: title, unit: "ms", series: ["OneSheet"],
                groups: self.files.map { .init(title: $0.name, values: [$0.milliseconds.total]) })
        }
        return BarChart(
            name: name, title: title, unit: "ms", series: ["OneSheet"] + self.peerNames,
            groups: self.kinds.map { kind, all in
                .init(
                    title: "\(kind) (\(all.count))",
                    values: [all.reduce(0) { $0 + $1.milliseconds.total }]
                        + self.peerNames.map { peer in
                            let times = all.compactMap { $0.peers[peer]?.milliseconds }
                            return times.count == all.count ? times.reduce(0, +) : nil
                        })
            })
    }

    private struct Sums {
        var count = 0
        var (ours, theirs) = (0.0, 0.0)
        var byteRatio: Double { self.theirBytes > 0 ? self.bytes / self.theirBytes : 0 }
        var likeness: Peers.Likeness { Self.mean(self.ourLikeness) }
        var theirLikeness: Peers.Likeness { Self.mean(self.peerLikeness) }
        private var (bytes, theirBytes) = (0.0, 0.0)
        private var ourLikeness: [Peers.Likeness] = []
        private var peerLikeness: [Peers.Likeness] = []

        init(of files: [FileSpeed], beside peer: String) {
            for file in files {
                guard let other = file.peers[peer] else { continue }
                self.count += 1
                self.ours += file.milliseconds.total
                self.theirs += other.milliseconds
                self.bytes += Double(file.byteCount)
                self.theirBytes += Double(other.byteCount)
                guard let ours = file.likeness, let theirs = other.likeness else { continue }
                self.ourLikeness.append(ours)
                self.peerLikeness.append(theirs)
            }
        }

        private static func mean(_ values: [Peers.Likeness]) -> Peers.Likeness {
            let count = Double(max(1, values.count))
            return Peers.Likeness(
                ssimulacra2: values.reduce(0) { $0 + $1.ssimulacra2 } / count,
                luma: values.reduce(0) { $0 + $1.luma } / count, chroma: values.reduce(0) { $0 + $1.chroma } / count)
        }
    }
}

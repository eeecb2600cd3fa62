extension LadderOfFiles {
    var outcome: Outcome {
        var outcome = Outcome()
        let title = "\(self.ladder.targets.count) variants of each original, one thread"
        outcome.tables = [
            .init(title: "\(title): sums of best CPU times in ms", rows: self.sumRows),
            .init(title: "\(title): bytes and likeness to a full decode and Lanczos-3", rows: self.likenessRows),
        ]
        outcome.notes = self.notes
        outcome.figures = self.figures
        return outcome
    }

    /// The kinds that occur, and all of them together, with their files.
    private var kinds: [(name: String, files: [FileLadder])] {
        let names = Set(self.files.map(\.kind)).sorted()
        return names.map { name in (name, self.files.filter { $0.kind == name }) } + [("all", self.files)]
    }

    private var sumRows: [[String]] {
        [["originals", "files", "decodes", "alone", "together", "ratio", "of medians", Self.peer, "ratio"]]
            + self.kinds.map { kind, files in
                let sums = LadderSums(files)
                return [
                    kind, "\(files.count)", (Double(sums.decodes) / Double(files.count)).fixed(2), sums.alone.fixed(1),
                    sums.together.fixed(1), (sums.together / sums.alone).fixed(3),
                    (sums.togetherMedian / sums.aloneMedian).fixed(3), sums.peer.map { $0.fixed(1) } ?? "–",
                    sums.peerRatio.map { $0.fixed(3) } ?? "–",
                ]
            }
    }

    private var likenessRows: [[String]] {
        [["originals", "identical", "of", "bytes", "SSIM alone", "together", "least gain", "mean gain"]]
            + self.kinds.map { kind, files in
                let sums = LadderSums(files)
                return [
                    kind, "\(sums.identical)", "\(files.count * self.ladder.targets.count)", sums.byteRatio.fixed(4),
                ] + [sums.likeness, sums.likenessTogether, sums.gains.min(), sums.meanGain].map { $0?.fixed(4) ?? "–" }
            }
    }

    private var figures: [Figure] {
        self.kinds.flatMap { kind, files in
            let (sums, name) = (LadderSums(files), "ladder \(kind)")
            var figures = [
                Figure("\(name) together of alone", sums.together / sums.alone, ""),
                Figure("\(name) decodes", Double(sums.decodes), "", gate: Gate(.lower, band: 0)),
                Figure("\(name) bytes", Double(sums.byteCount), "bytes", gate: Gate(.lower, band: 0.01)),
            ]
            if let ratio = sums.peerRatio { figures.append(Figure("\(name) together of \(Self.peer)", ratio, "")) }
            if let least = sums.gains.min() {
                figures.append(
                    Figure("\(name) least gain of SSIM", least, "", gate: Gate(.higher, band: 0, slack: 0.0005)))
            }
            return figures
        }
    }
}

private struct LadderSums {
    var (alone, together, aloneMedian, togetherMedian) = (0.0, 0.0, 0.0, 0.0)
    var (decodes, identical, byteCount, byteCountAlone) = (0, 0, 0, 0)
    /// `nil` if the peer can process none of the files; otherwise, as `besidePeer`, the sum over those that it can.
    var peer: Double?
    var gains: [Double] = []
    private var besidePeer = 0.0
    private var likenesses: [(alone: Double, together: Double)] = []

    var byteRatio: Double { Double(self.byteCount) / Double(self.byteCountAlone) }
    var peerRatio: Double? { self.peer.map { self.besidePeer / $0 } }
    var likeness: Double? { Self.mean(self.likenesses.map(\.alone)) }
    var likenessTogether: Double? { Self.mean(self.likenesses.map(\.together)) }
    var meanGain: Double? { Self.mean(self.gains) }

    init(_ files: [FileLadder]) {
        for file in files {
            let together = file.together.min()!
            self.alone += FileLadder.best(file.alone)!
            self.together += together
            self.aloneMedian += Median.of(file.alone.map { $0.reduce(0, +) })
            self.togetherMedian += Median.of(file.together)
            self.decodes += file.decodes
            self.identical += file.identical
            self.byteCount += file.byteCount
            self.byteCountAlone += file.byteCountAlone
            self.gains += file.gains
            for case (let alone?, let together?) in zip(file.likeness, file.likenessTogether) {
                self.likenesses.append((alone, together))
            }
            guard let peer = FileLadder.best(file.peer) else { continue }
            self.peer = (self.peer ?? 0) + peer
            self.besidePeer += together
        }
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}

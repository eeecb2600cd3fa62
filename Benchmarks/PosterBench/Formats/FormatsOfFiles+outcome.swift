extension FormatsOfFiles {
    var outcome: Outcome {
        var outcome = Outcome()
        let reference = FormatCoder.reference.name
        for measure in LikenessMeasure.allCases {
            let title = "Bytes at the \(measure.rawValue) of \(reference)"
            outcome.tables += [
                .init(title: "\(title), by kind of picture", rows: self.rows(self.kinds, by: measure)),
                .init(title: "\(title), by width", rows: self.rows(self.byWidth, by: measure)),
            ]
        }
        outcome.tables.append(.init(title: "At the default quality", rows: self.defaultRows))
        outcome.notes = self.notes
        outcome.figures = self.coders.flatMap { coder in
            LikenessMeasure.allCases.map { measure in
                Figure(
                    "formats \(coder.name) bytes at equal \(measure.rawValue)",
                    self.ratio(coder, self.pictures, by: measure), "")
            } + [Figure("formats \(coder.name) ns/pixel", Median.of(self.nanosecondsPerPixel(coder)), "ns")]
        }
        return outcome
    }

    private var kinds: [(name: String, pictures: [Picture])] {
        Set(self.pictures.map(\.kind)).sorted().map { kind in (kind, self.pictures.filter { $0.kind == kind }) }
            + [("all", self.pictures)]
    }

    private var byWidth: [(name: String, pictures: [Picture])] {
        self.widths.map { width in ("\(width)", self.pictures.filter { $0.width == width }) }
            .filter { !$0.pictures.isEmpty }
    }

    private func rows(_ groups: [(name: String, pictures: [Picture])], by measure: LikenessMeasure) -> [[String]] {
        [["pictures", "count"] + self.coders.map(\.name)]
            + groups.map { name, pictures in
                [name, "\(pictures.count)"] + self.coders.map { self.ratio($0, pictures, by: measure).fixed(3) }
            }
    }

    private var defaultRows: [[String]] {
        [
            [
                "encoding", "bytes", "SSIMULACRA2", "±", "worst", "SSIM", "of chroma", "ms", "ns/pixel", "of 98 %",
                "most",
            ]
        ]
            + self.coders.map { coder in
                let points = self.curves(coder, self.pictures).map(\.atDefault)
                let times = self.nanosecondsPerPixel(coder).sorted()
                let values = points.map(\.likeness.ssimulacra2)
                let mean = Self.mean(values)
                return [
                    coder.name, "\(points.reduce(0) { $0 + $1.byteCount })", mean.fixed(1),
                    Self.mean(values.map { ($0 - mean) * ($0 - mean) }).squareRoot().fixed(1), values.min()!.fixed(1),
                    Self.mean(points.map(\.likeness.luma)).fixed(4), Self.mean(points.map(\.likeness.chroma)).fixed(4),
                    Self.mean(points.map(\.milliseconds)).fixed(1),
                    Median.of(times).fixed(0), times[(times.count - 1) * 98 / 100].fixed(0), times.last!.fixed(0),
                ]
            }
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    private func nanosecondsPerPixel(_ coder: FormatCoder) -> [Double] {
        self.curves(coder, self.pictures).map { 1e6 * $0.atDefault.milliseconds / Double($0.pixels) }
    }

    private func curves(_ coder: FormatCoder, _ pictures: [Picture]) -> [CodedCurve] {
        pictures.compactMap { $0.curves.first { $0.coder == coder } }
    }

    /// The coder's bytes at the likeness that each picture has with the reference's default quality, summed up and
    /// divided by the reference's bytes.
    private func ratio(_ coder: FormatCoder, _ pictures: [Picture], by measure: LikenessMeasure) -> Double {
        var (own, reference) = (0.0, 0.0)
        for (curve, other) in zip(self.curves(coder, pictures), self.curves(.reference, pictures)) {
            own += curve.value(at: measure.value(other.atDefault), by: measure).bytes
            reference += Double(other.atDefault.byteCount)
        }
        return own / reference
    }
}

extension FormatsOfFiles {
    var outcome: Outcome {
        var outcome = Outcome()
        let reference = FormatCoder.reference.name
        outcome.tables = [
            .init(title: "Bytes at the SSIM of \(reference), by kind of picture", rows: self.rows(self.kinds)),
            .init(title: "Bytes at the SSIM of \(reference), by width", rows: self.rows(self.byWidth)),
            .init(title: "At the default quality", rows: self.defaultRows),
        ]
        outcome.notes = self.notes
        outcome.figures = self.coders.flatMap { coder in
            [
                Figure("formats \(coder.name) bytes at equal SSIM", self.ratio(coder, self.pictures), ""),
                Figure("formats \(coder.name) ns/pixel", Median.of(self.nanosecondsPerPixel(coder)), "ns"),
            ]
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

    private func rows(_ groups: [(name: String, pictures: [Picture])]) -> [[String]] {
        [["pictures", "count"] + self.coders.map(\.name)]
            + groups.map { name, pictures in
                [name, "\(pictures.count)"] + self.coders.map { self.ratio($0, pictures).fixed(3) }
            }
    }

    private var defaultRows: [[String]] {
        [["encoding", "bytes", "SSIM", "ms", "ns/pixel", "of 98 %", "most"]]
            + self.coders.map { coder in
                let points = self.curves(coder, self.pictures).map(\.atDefault)
                let times = self.nanosecondsPerPixel(coder).sorted()
                return [
                    coder.name, "\(points.reduce(0) { $0 + $1.byteCount })",
                    (points.reduce(0) { $0 + $1.likeness } / Double(points.count)).fixed(4),
                    (points.reduce(0) { $0 + $1.milliseconds } / Double(points.count)).fixed(1),
                    Median.of(times).fixed(0), times[(times.count - 1) * 98 / 100].fixed(0), times.last!.fixed(0),
                ]
            }
    }

    private func nanosecondsPerPixel(_ coder: FormatCoder) -> [Double] {
        self.curves(coder, self.pictures).map { 1e6 * $0.atDefault.milliseconds / Double($0.pixels) }
    }

    private func curves(_ coder: FormatCoder, _ pictures: [Picture]) -> [CodedCurve] {
        pictures.compactMap { $0.curves.first { $0.coder == coder } }
    }

    /// The coder's bytes at the likeness that each picture has with the reference's default quality, summed up and
    /// divided by the reference's bytes.
    private func ratio(_ coder: FormatCoder, _ pictures: [Picture]) -> Double {
        var (own, reference) = (0.0, 0.0)
        for (curve, other) in zip(self.curves(coder, pictures), self.curves(.reference, pictures)) {
            own += curve.value(at: other.atDefault.likeness).bytes
            reference += Double(other.atDefault.byteCount)
        }
        return own / reference
    }
}

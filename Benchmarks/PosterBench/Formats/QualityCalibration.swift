import Glibc
import PosterCodec

/// Finds the aom quantisers at which posters have the mean likeness of WebP, for each quality.
struct QualityCalibration {
    /// The inner qualities of ``AVIFQuantizer/calibration``.
    private static let anchors = [10, 25, 40, 55, 70, 80, 90, 95]

    let widths: [Int]

    func outcome(_ originals: [SpeedOriginal], beside peers: Peers) throws -> Outcome {
        var sums = [
            Sums(qualities: Self.anchors), Sums(qualities: Array(stride(from: 4, through: 100, by: 4))),
        ]
        let folder = try WorkFolder()
        var progress = Progress(count: originals.count)
        var notes: [String] = []
        for original in originals {
            progress.step(original.name)
            do {
                let input = try MappedFile(original.file)
                let header = try inspect(input.bytes.bytes, limits: .init())
                for width in self.widths where width <= header.uprightSize.width {
                    let bench = PictureFormats(width: width, rounds: 1, folder: folder.path, peers: peers)
                    let reference = try bench.reference(input, header).path
                    for (index, format) in [OutputFormat.webp, .avif].enumerated() {
                        let effort: EncodingEffort = format == .avif ? .refined : .first
                        let points = try bench.points(
                            FormatCoder(format: format, program: .own(effort)), sums[index].qualities, of: input,
                            header,
                            reference: reference)
                        if let points { sums[index].add(points) }
                    }
                }
            } catch let error as CodecError {
                notes.append("\(original.name): \(error)")
            }
        }
        progress.finish()
        var outcome = Outcome()
        outcome.notes = notes
        outcome.tables = [
            .init(title: "The quantisers of the qualities", rows: Self.rows(webP: sums[0], avif: sums[1]))
        ]
        return outcome
    }

    private static func rows(webP: Sums, avif: Sums) -> [[String]] {
        let curve = zip(avif.qualities, avif.means).map { quality, mean in
            (quantizer: AVIFQuantizer.value(quality: quality), mean: mean)
        }
        return [["quality", "SSIM", "quantiser"]]
            + zip(webP.qualities, webP.means).map { quality, mean in
                let above = min(max(1, curve.firstIndex { $0.mean >= mean } ?? curve.count - 1), curve.count - 1)
                let (low, high) = (curve[above - 1], curve[above])
                let span = high.mean - low.mean
                let share = span > 0 ? (mean - low.mean) / span : 0
                let quantizer = low.quantizer + (high.quantizer - low.quantizer) * share
                return ["\(quality)", (1 - exp(-mean)).fixed(4), quantizer.fixed(1)]
            }
    }

    private struct Sums {
        let qualities: [Int]
        private var sums: [Double]
        private var count = 0

        init(qualities: [Int]) {
            self.qualities = qualities
            self.sums = qualities.map { _ in 0 }
        }

        var means: [Double] { self.sums.map { $0 / Double(max(1, self.count)) } }

        mutating func add(_ points: [CodedPoint]) {
            self.count += 1
            for (index, point) in points.enumerated() {
                self.sums[index] += LikenessMeasure.ssim.scale(point.likeness.luma)
            }
        }
    }
}

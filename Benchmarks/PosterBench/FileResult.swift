import CPosterBench
import PosterCodec

/// One original's figures.
struct FileResult: Encodable {
    /// One way's figures.
    struct Line: Encodable {
        let way: Way
        /// Medians.
        let milliseconds: StageTimes<Double>
        let peak: PeakGrowth
    }

    let file: String
    /// Size and coding, such as "2000×3000 baseline 4:2:0".
    let kind: String
    let inputBytes: Int
    /// Width and height of the poster.
    let outputSize: [Int]
    /// The peak of a child that only loads program and input: what is subtracted from all others.
    let baselinePeakBytes: Int
    let lines: [Line]
    /// The whole bitmap's total time over the downsampled JPEG's, both as medians.
    let timeRatio: Double
    /// The same of the peaks' growth.
    let peakRatio: Double

    init(measuring file: String, width: Int, rounds: Int) throws {
        let input = try MappedFile(file)
        self.file = file
        self.inputBytes = input.bytes.count
        do {
            let header = try inspect(input.bytes.bytes, limits: .init())
            self.kind =
                "\(header.width)×\(header.height) \(header.isProgressive ? "progressive" : "baseline") "
                + (header.subsampling ?? "gray")
            let first = try Way.jpeg.render(input, width: width)
            self.outputSize = [first.width, first.height]

            // Round by round, so that a neighbour's load falls on all ways alike. The first round only warms up. Each run
            // begins with a trimmed heap: otherwise it would pay for fresh pages or not as its predecessor left them,
            // which made up to 30 % of a progressive decode.
            var times: [Way: [StageTimes<UInt64>]] = [:]
            for round in 0...rounds {
                for way in Way.allCases {
                    poster_bench_heap_trim()
                    let rendering = try way.render(input, width: width)
                    if round > 0 { times[way, default: []].append(rendering.times) }
                }
            }
            let baseline = try PeakGrowth.baseline(file, width: width)
            self.baselinePeakBytes = baseline
            self.lines = try Way.allCases.map { way in
                Line(
                    way: way,
                    milliseconds: StageTimes(mediansOf: times[way]!),
                    peak: try PeakGrowth(of: way, file: file, width: width, above: baseline)
                )
            }
        } catch let error as CodecError {
            throw BenchError("\(file): \(Self.sentence(error))")
        }
        let ours = self.lines.first { $0.way == .jpeg }!
        let whole = self.lines.first { $0.way == .wholeJPEG }!
        self.timeRatio = whole.milliseconds.total / ours.milliseconds.total
        self.peakRatio = Double(whole.peak.bytes) / Double(ours.peak.bytes)
    }

    private static func sentence(_ error: CodecError) -> String {
        switch error {
        case .notAnImage(let seems): "not a picture but \(seems)"
        case .unsupported(let kind): "\(kind) is not decoded"
        case .truncated: "the file ends before the picture does"
        case .damaged(let reason): reason
        default: "\(error)"
        }
    }
}

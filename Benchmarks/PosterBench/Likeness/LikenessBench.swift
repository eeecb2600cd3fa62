import ArgumentParser
import PosterCodec

/// `poster-bench likeness`
struct LikenessBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "likeness",
        abstract: "SSIMULACRA 2 of pictures at qualities, with their statistics, for Benchmarks/likeness.py.",
        discussion: """
            Prints a line for each file, width, format and quality, separated by tabs: the file, the width, the \
            format, the quality, SSIMULACRA 2 against the PNG of that size, the bytes, the encoder's CPU \
            milliseconds, and the statistics that the model predicts the encoder's quality from.
            """)

    @Option(help: "The widths in pixels, separated by commas.")
    var widths = "154,342,500,780"

    @Option(help: "Qualities, separated by commas: numbers, or low, auto and high.")
    var qualities = "40,62,78,88,94"

    @Flag(help: "Encode again as for files that are served often.")
    var refined = false

    @Argument(help: "The pictures.")
    var files: [String]

    func run() throws {
        let qualities = try self.qualities.split(separator: ",").map { text in
            guard let quality = Quality(String(text)) else { throw BenchError("--qualities: \(Quality.forms)") }
            return quality
        }
        let widths = try Ladder(widths: self.widths, formats: "webp").targets.compactMap(\.width)
        for path in self.files {
            let input = try MappedFile(path)
            let header = try inspect(input.bytes.bytes, limits: .init())
            for width in widths where width <= header.uprightSize.width {
                try self.measure(input, header, name: path, width: width, qualities)
            }
        }
    }

    private func measure(
        _ input: borrowing MappedFile, _ header: ImageHeader, name: String, width: Int, _ qualities: [Quality]
    ) throws {
        func made(_ format: OutputFormat, _ quality: Quality) throws -> (bytes: [UInt8], milliseconds: Double) {
            let target = RenderTarget(width: width, format: format, quality: quality)
            let plan = try RenderPlan(header, target: target, encoding: self.refined ? .refined : .first)
            let file = try renderFile(input.bytes.bytes, plan: plan, control: RenderControl(now: Clock.cpu))
            return (file.bytes.withUnsafeBytes { Array($0) }, Double(file.timings.encode) / 1e6)
        }
        let original = try made(.png, 100).bytes
        let statistics = try PictureStatistics.values(of: input.bytes.bytes, header, width: width)
        for format in OutputFormat.allCases where format != .png {
            for quality in qualities {
                let copy = try made(format, quality)
                guard let score = try SSIMULACRA2.compare(files: original.span.bytes, copy.bytes.span.bytes) else {
                    continue
                }
                let values = statistics.map { "\($0)" }.joined(separator: " ")
                print(
                    name, width, format, quality, score.fixed(3), copy.bytes.count, copy.milliseconds.fixed(2), values,
                    separator: "\t")
            }
        }
    }
}

import CoreMetrics
import PosterCodec

/// How long decoding and encoding take, by format, for swift-metrics.
struct RenderTimes: Sendable {
    /// Those that are decoded.
    private static let sources: [ImageFormat] = [.jpeg, .png, .webp]

    private let decode: [ImageFormat: Timer]
    private let encode: [OutputFormat: Timer]

    init(metrics: any MetricsFactory) {
        func timer(_ label: String, _ format: String) -> Timer {
            Timer(label: label, dimensions: [("format", format)], factory: metrics)
        }
        self.decode = Dictionary(
            uniqueKeysWithValues: Self.sources.map { ($0, timer("onesheet.decode.duration", $0.label)) })
        self.encode = Dictionary(
            uniqueKeysWithValues: OutputFormat.allCases.map { ($0, timer("onesheet.encode.duration", $0.rawValue)) })
    }

    /// Scaling counts as decoding: both go row by row.
    func record(_ timings: StageTimings, source: ImageFormat, output: OutputFormat) {
        self.decode[source]?.recordNanoseconds(timings.decode + timings.resample)
        self.encode[output]?.recordNanoseconds(timings.encode)
    }
}

extension ImageFormat {
    /// As metrics and spans call it.
    var label: String { self.rawValue.lowercased() }
}

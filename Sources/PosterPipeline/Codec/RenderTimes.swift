import CoreMetrics
import PosterCodec

/// How long decoding and encoding take, by format, for swift-metrics.
struct RenderTimes: Sendable {
    private let decode: [ImageFormat: Timer]
    private let encode: [OutputFormat: Timer]

    init(metrics: any MetricsFactory) {
        func timers<Format: RawRepresentable<String> & CaseIterable & Hashable>(
            _ label: String, of type: Format.Type
        ) -> [Format: Timer] {
            Dictionary(
                uniqueKeysWithValues: Format.allCases.map {
                    ($0, Timer(label: label, dimensions: [("format", $0.rawValue)], factory: metrics))
                })
        }
        self.decode = timers("onesheet.decode.duration", of: ImageFormat.self)
        self.encode = timers("onesheet.encode.duration", of: OutputFormat.self)
    }

    /// Scaling counts as decoding: both go row by row.
    func record(_ timings: StageTimings, source: ImageFormat, output: OutputFormat) {
        self.decode[source]?.recordNanoseconds(timings.decode + timings.resample)
        self.encode[output]?.recordNanoseconds(timings.encode)
    }
}

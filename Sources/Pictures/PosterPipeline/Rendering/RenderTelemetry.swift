import CoreMetrics
import PosterCodec
import Tracing

/// Timers of decoding and encoding by format, for swift-metrics.
struct RenderMetrics: Sendable {
    /// Formats that are decoded.
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
    /// The format's name in metrics and spans.
    var label: String { self.rawValue.lowercased() }
}

/// The spans of a render's stages. Rows go through all stages by turns, so none of them is an interval of its own: each
/// is recorded with its total duration, one after another from the beginning on.
enum RenderSpans {
    /// - Parameters:
    ///   - start: When the render began.
    ///   - context: Of the span that they are parts of.
    static func record(
        _ timings: StageTimings, source: ImageFormat, output: OutputFormat, since start: DefaultTracerClock.Timestamp,
        in context: ServiceContext
    ) {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return }
        let stages = [
            ("decode", source.label, timings.decode + timings.resample), ("encode", output.rawValue, timings.encode),
        ]
        var moment = start.nanosecondsSinceEpoch
        for (name, format, duration) in stages {
            let span = tracer.startSpan(
                name, context: context, ofKind: .internal,
                at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: moment))
            span.attributes["image.format"] = format
            moment += duration
            span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: moment))
        }
    }
}

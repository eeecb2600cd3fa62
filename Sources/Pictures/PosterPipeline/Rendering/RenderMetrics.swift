import CoreMetrics
import PosterCodec
import Tracing

/// Timers of decoding and encoding by format, for swift-metrics.
struct RenderMetrics: Sendable {
    private let decode: [ImageFormat: Timer]
    private let encode: [OutputFormat: Timer]

    init(metrics: any MetricsFactory) {
        func timer(_ label: String, _ format: String) -> Timer {
            Timer(label: label, dimensions: [("format", format)], factory: metrics)
        }
        self.decode = Dictionary(
            uniqueKeysWithValues: ImageFormat.decoded.map { ($0, timer("onesheet.decode.duration", $0.name)) })
        self.encode = Dictionary(
            uniqueKeysWithValues: OutputFormat.allCases.map { ($0, timer("onesheet.encode.duration", $0.rawValue)) })
    }

    /// Records a decode. Resampling counts as decoding: both go row by row.
    func record(_ timings: StageTimings, source: ImageFormat, since start: DefaultTracerClock.Timestamp) {
        let duration = timings.decode + timings.resample
        self.decode[source]?.recordNanoseconds(duration)
        self.record("decode", source.name, duration, since: start)
    }

    func record(_ timings: StageTimings, output: OutputFormat, since start: DefaultTracerClock.Timestamp) {
        self.encode[output]?.recordNanoseconds(timings.encode)
        self.record("encode", output.rawValue, timings.encode, since: start)
    }

    /// Records a span of this duration: rows pass through several stages in turn, so no stage is an interval of its
    /// own.
    private func record(
        _ name: String, _ format: String, _ duration: UInt64, since start: DefaultTracerClock.Timestamp
    ) {
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return }
        let moment = start.nanosecondsSinceEpoch
        let span = tracer.startSpan(
            name, context: .current ?? .topLevel, ofKind: .internal,
            at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: moment))
        span.attributes["image.format"] = format
        span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: moment + duration))
    }
}

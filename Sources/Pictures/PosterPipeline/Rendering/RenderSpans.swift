import PosterCodec
import ServiceContextModule
import Tracing

/// The spans of a render's stages. Rows go through all stages by turns, so none of them is an interval of its own: each is
/// told as long as it took altogether, one after another from the beginning on.
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

import BoundedCache
package import CoreMetrics
import Flights
import HTTPSemantics
import NIOCore
@_spi(CustomByteBufferAllocator) import NIOCore
package import PosterCodec
import Synchronization
import Tracing

/// Renders variants on the codec threads; cancelling the task stops the render.
public struct VariantRenderer: Sendable {
    private let threads: BoundedThreadPool
    private let limits: CodecLimits
    private let now: @Sendable () -> UInt64
    private let cpuTime: @Sendable () -> UInt64
    /// Decodes that took too much CPU time; nil to try each time.
    var failures: NegativeCache<Decode>?
    private let metrics: RenderMetrics

    /// Renders since the start, over all copies of this value.
    private let renders = Counter()

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    /// Renders between two trims of the heap; under full load of two cores, about two trims a second.
    static let rendersPerTrim = 64

    /// The key of failures: CPU time is spent on decoding an original at a scale, whatever the output.
    struct Decode: Hashable {
        let digest: Digest
        let scale: DecodeScale
    }

    /// The most negative entries.
    static let failureLimit = 10_000

    /// - Parameter threads: For decoding; not shared with work that blocks.
    package init(
        threads: BoundedThreadPool, limits: CodecLimits = .init(), now: @escaping @Sendable () -> UInt64,
        cpuTime: @escaping @Sendable () -> UInt64 = ThreadTime.nanoseconds,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.metrics = RenderMetrics(metrics: metrics)
        self.threads = threads
        self.limits = limits
        self.now = now
        self.cpuTime = cpuTime
    }

    /// - Parameters:
    ///   - tag: Of the variant.
    ///   - urgency: How soon it is wanted; may rise while it waits for a thread.
    /// - Throws: `CodecError` about the original, ``OriginalBytes/Unreadable``,
    ///   ``PosterError/overloaded(retryAfter:)``, or `CancellationError`.
    func render(
        _ original: Original, as target: RenderTarget, tag: EntityTag, urgency: Urgency
    ) async throws -> RenderedPoster {
        let plan = try RenderPlan(original.header, target: target, limits: self.limits)
        return try await withSpan("render") { _ in
            try await self.run(plan, of: original, urgency: urgency) { control in
                let start = DefaultTracerClock.now
                return try original.bytes.withSpan { span in
                    let file = try renderFile(span, plan: plan, limits: self.limits, control: control)
                    let timings = file.timings
                    self.metrics.record(timings, source: original.header.format, output: plan.format, since: start)
                    let poster = Poster(
                        bytes: ByteBuffer(owning: file.takeBytes()), entityTag: tag, format: plan.format,
                        size: plan.size)
                    return RenderedPoster(poster: poster, timings: timings)
                }
            }
        }
    }

    func hashes(of original: Original, urgency: Urgency) async throws -> PictureHashes {
        let plan = try PictureHashes.plan(for: original.header, limits: self.limits)
        return try await self.run(plan, of: original, urgency: urgency) { control in
            try original.bytes.withSpan { span in
                try PictureHashes(of: span, header: original.header, limits: self.limits, control: control)
            }
        }
    }

    /// An upper bound for a placeholder's pixels, file and encoder, in bytes.
    private static let placeholderWeight = 1 << 20

    func placeholder(
        thumbHash: String, original: (width: Int, height: Int), format: OutputFormat
    ) async throws -> (bytes: [UInt8], size: OutputSize) {
        try await self.threads.run(weight: Self.placeholderWeight) {
            try PlaceholderPicture.file(thumbHash: thumbHash, original: original, format: format)
        }
    }

    private func trimNowAndThen() {
        let count = self.renders.value.add(1, ordering: .relaxed).newValue
        if count % Self.rendersPerTrim == 0 { ProcessHeap.trim() }
    }

    /// The memory that a render is charged, in bytes: its plan's, and that of its original while it is loaded.
    static func weight(of plan: RenderPlan, _ original: Original) -> Int {
        plan.workingBytes + original.bytes.loadingByteCount
    }

    /// Runs `work` on a codec thread; it is stopped when the task is cancelled.
    private func run<Value: Sendable>(
        _ plan: RenderPlan, of original: Original, urgency: Urgency,
        _ work: @escaping @Sendable (RenderControl) throws -> Value
    ) async throws -> Value {
        let decode = Decode(digest: original.digest, scale: plan.scale)
        if let failure = self.failures?.value(for: decode) { throw failure }
        let control = RenderControl(now: self.now, cpuTime: self.cpuTime)
        return try await withTaskCancellationHandler {
            try await self.threads.run(weight: Self.weight(of: plan, original), urgency: urgency) {
                defer { self.trimNowAndThen() }
                do {
                    return try work(control)
                } catch CodecError.stopped {
                    throw CancellationError()
                } catch let error as CodecError {
                    if case .overLimit(.cpuTime, _, _) = error {
                        self.failures?.insert(PosterError(error), for: decode)
                    }
                    throw error
                }
            }
        } onCancel: {
            control.stop.raise()
        }
    }
}

/// A variant with what it cost, and what became of it afterwards.
struct RenderedPoster: Sendable {
    let poster: Poster
    let timings: StageTimings
    /// Whether the variant cache has taken it.
    var isStored = false
    /// Whether no other bytes have taken the place of its original.
    var isCurrent = true
}

extension ByteBuffer {
    /// A file in the very memory that the encoder wrote it to: nothing is copied, and nothing is wasted, where a buffer
    /// that is filled grows to powers of two.
    ///
    /// `ByteBufferAllocator`, unless given others, frees with `free`, as ``EncodedBytes/release()`` demands.
    init(owning bytes: consuming EncodedBytes) {
        self.init(takingOwnershipOf: bytes.release(), allocator: ByteBufferAllocator())
    }
}

/// Timers of decoding and encoding by format, for swift-metrics.
private struct RenderMetrics: Sendable {
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

    /// Records timers and spans of a render. Scaling counts as decoding: both go row by row.
    ///
    /// Rows go through all stages by turns, so none of them is an interval of its own: each has a span of its total
    /// duration, one after another from `start` on.
    func record(
        _ timings: StageTimings, source: ImageFormat, output: OutputFormat, since start: DefaultTracerClock.Timestamp
    ) {
        let decode = timings.decode + timings.resample
        self.decode[source]?.recordNanoseconds(decode)
        self.encode[output]?.recordNanoseconds(timings.encode)
        let tracer = InstrumentationSystem.tracer
        guard !(tracer is NoOpTracer) else { return }
        var moment = start.nanosecondsSinceEpoch
        for (name, format, duration) in [
            ("decode", source.label, decode), ("encode", output.rawValue, timings.encode),
        ] {
            let span = tracer.startSpan(
                name, context: .current ?? .topLevel, ofKind: .internal,
                at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: moment))
            span.attributes["image.format"] = format
            moment += duration
            span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: moment))
        }
    }
}

extension ImageFormat {
    /// The format's name in metrics and spans.
    fileprivate var label: String { self.rawValue.lowercased() }
}

import NIOCore
public import PosterCodec

/// Renders variants on the codec threads, and stops when nobody waits any more.
public struct VariantRenderer: Sendable {
    private let threads: WorkThreads
    private let limits: CodecLimits
    private let now: @Sendable () -> UInt64
    private let cpuTime: @Sendable () -> UInt64

    /// - Parameters:
    ///   - threads: Where decoding runs; not shared with anything that waits.
    ///   - now: A monotonic time in nanoseconds.
    ///   - cpuTime: The CPU time of the calling thread in nanoseconds.
    public init(
        threads: WorkThreads, limits: CodecLimits = .init(), now: @escaping @Sendable () -> UInt64,
        cpuTime: @escaping @Sendable () -> UInt64 = ThreadTime.nanoseconds
    ) {
        self.threads = threads
        self.limits = limits
        self.now = now
        self.cpuTime = cpuTime
    }

    /// - Throws: `CodecError` about the original, ``PosterError/overloaded``, or `CancellationError`.
    func render(_ original: Original, as target: RenderTarget, key: VariantKey) async throws -> RenderedPoster {
        let plan = try RenderPlan(original.header, target: target, limits: self.limits)
        return try await self.run { control in
            let picture = try original.bytes.withSpan { (span) throws(CodecError) in
                try PosterCodec.render(span, plan: plan, limits: self.limits, control: control)
            }
            let poster = Poster(
                bytes: ByteBuffer(bytes: picture.bytes), entityTag: key.entityTag, format: picture.format,
                size: picture.size)
            return RenderedPoster(poster: poster, timings: picture.timings)
        }
    }

    /// - Throws: As ``render(_:as:key:)``.
    func hashes(of original: Original) async throws -> PictureHashes {
        try await self.run { control in
            try original.bytes.withSpan { (span) throws(CodecError) in
                try PictureHashes(of: span, header: original.header, limits: self.limits, control: control)
            }
        }
    }

    /// Runs `work` on a codec thread; it is stopped when the task is cancelled.
    private func run<Value: Sendable>(
        _ work: @escaping @Sendable (RenderControl) throws -> Value
    ) async throws -> Value {
        let control = RenderControl(now: self.now, cpuTime: self.cpuTime)
        return try await withTaskCancellationHandler {
            try await self.threads.run {
                do {
                    return try work(control)
                } catch CodecError.stopped {
                    throw CancellationError()
                }
            }
        } onCancel: {
            control.stop.raise()
        }
    }
}

/// A variant with what it cost.
struct RenderedPoster: Sendable {
    let poster: Poster
    let timings: StageTimings
}

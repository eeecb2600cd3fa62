import NIOCore
public import PosterCodec

/// Renders variants on the codec threads, and stops when nobody waits any more.
public struct VariantRenderer: Sendable {
    private let threads: WorkThreads
    private let limits: CodecLimits
    private let now: @Sendable () -> UInt64

    /// - Parameters:
    ///   - threads: Where decoding runs; not shared with anything that waits.
    ///   - now: A monotonic time in nanoseconds.
    public init(threads: WorkThreads, limits: CodecLimits = .init(), now: @escaping @Sendable () -> UInt64) {
        self.threads = threads
        self.limits = limits
        self.now = now
    }

    /// - Throws: `CodecError` about the original, ``PosterError/overloaded``, or `CancellationError`.
    func render(_ original: Original, as target: RenderTarget, key: VariantKey) async throws -> RenderedPoster {
        let plan = try RenderPlan(original.header, target: target, limits: self.limits)
        let control = RenderControl(now: self.now)
        return try await withTaskCancellationHandler {
            try await self.threads.run {
                let picture: RenderedPicture
                do {
                    picture = try original.bytes.withSpan { (span) throws(CodecError) in
                        try PosterCodec.render(span, plan: plan, limits: self.limits, control: control)
                    }
                } catch CodecError.stopped {
                    throw CancellationError()
                }
                let poster = Poster(
                    bytes: ByteBuffer(bytes: picture.bytes), entityTag: key.entityTag, format: picture.format,
                    size: picture.size)
                return RenderedPoster(poster: poster, timings: picture.timings)
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

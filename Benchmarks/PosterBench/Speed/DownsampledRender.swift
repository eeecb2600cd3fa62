import PosterCodec

/// Renders with the codec: planes at the smallest useful scale, resampled as they are decoded.
struct DownsampledRender {
    let format: OutputFormat
    let width: Int
    /// `nil` draws none.
    var badges: Badges?

    /// - Throws: `CodecError` or ``BenchError``.
    func run(_ input: borrowing MappedFile) throws -> Rendering {
        let start = Clock.now()
        let header = try inspect(input.bytes.bytes, limits: .init())
        let plan = try RenderPlan(header, target: self.target)
        let planned = Clock.now()
        let file = try renderFile(input.bytes.bytes, plan: plan, control: RenderControl(now: Clock.now))
        let end = Clock.now()
        return Rendering(
            times: StageTimes(
                probe: planned - start,
                decode: file.timings.decode,
                resample: file.timings.resample,
                encode: file.timings.encode,
                total: end - start
            ),
            width: plan.size.width,
            height: plan.size.height,
            outputBytes: file.bytes.count
        )
    }

    func file(of input: borrowing MappedFile) throws -> [UInt8] {
        let header = try inspect(input.bytes.bytes, limits: .init())
        let plan = try RenderPlan(header, target: self.target)
        return try renderFile(input.bytes.bytes, plan: plan).bytes.withUnsafeBytes { Array($0) }
    }

    private var target: RenderTarget { RenderTarget(width: self.width, format: self.format, badges: self.badges) }
}

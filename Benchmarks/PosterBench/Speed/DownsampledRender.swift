import PosterCodec

/// The codec's way: planes at the smallest useful scale, resampled as they are decoded.
struct DownsampledRender {
    let format: OutputFormat
    let width: Int

    /// - Throws: `CodecError` or ``BenchError``.
    func run(_ input: borrowing MappedFile) throws -> Rendering {
        let start = Clock.now()
        let header = try inspect(input.bytes.bytes, limits: .init())
        let plan = try RenderPlan(header, target: RenderTarget(width: self.width, format: self.format))
        let planned = Clock.now()
        let picture = try render(input.bytes.bytes, plan: plan, control: RenderControl(now: Clock.now))
        let end = Clock.now()
        return Rendering(
            times: StageTimes(
                probe: planned - start,
                decode: picture.timings.decode,
                resample: picture.timings.resample,
                encode: picture.timings.encode,
                total: end - start
            ),
            width: picture.size.width,
            height: picture.size.height,
            outputBytes: picture.bytes.count
        )
    }
}

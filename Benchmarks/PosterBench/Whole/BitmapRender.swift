import PosterCodec

/// Renders as an app does without downsampling while decoding: decodes the whole picture to an RGBA bitmap, applies
/// Lanczos-3 to it, and encodes with the codec's own JPEG encoder at its default quality.
///
/// Does not apply the orientation: the size of a rotated picture differs from the codec's.
struct BitmapRender {
    let width: Int

    /// - Throws: `CodecError` or ``BenchError``.
    func run(_ input: borrowing MappedFile) throws -> Rendering {
        let start = Clock.now()
        let whole = try WholeDecoder.decode(input)
        let size = try OutputSize(fitting: (whole.width, whole.height), width: self.width)
        let decoded = Clock.now()
        let small = BitmapResampler(from: (whole.width, whole.height), to: (size.width, size.height)).resample(whole)
        whole.release()  // the kindest app frees it before it encodes
        let resampled = Clock.now()
        let bytes = try JPEGEncoder(quality: OutputFormat.jpeg.defaultQuality).encode(small.planes())
        let end = Clock.now()
        return Rendering(
            times: StageTimes(
                probe: 0, decode: decoded - start, resample: resampled - decoded, encode: end - resampled,
                total: end - start),
            width: size.width, height: size.height, outputBytes: bytes.count)
    }
}

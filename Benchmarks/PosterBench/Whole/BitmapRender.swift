import PosterCodec

/// What an app does without downsampling while decoding: the whole picture as an RGBA bitmap, Lanczos-3 over the bitmap,
/// then the codec's own JPEG encoder with the codec's own quality.
///
/// The orientation is not applied: a picture that is stored lying comes out in another size than the codec's.
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

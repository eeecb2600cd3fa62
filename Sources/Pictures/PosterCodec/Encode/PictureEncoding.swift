/// The settings of an encoder from a render's plan.
struct EncoderPlan {
    let size: OutputSize
    /// 1...100.
    let quality: Int
    let halvesChroma: Bool
    let effort: RenderTarget.Effort
    let encoding: EncodingEffort
    /// Whether the original has alpha.
    let hasAlpha: Bool
    /// The estimated time of decoding the original.
    let decodingNanoseconds: Double
}

/// An encoder with its settings and its costs. All of a format is in one folder; ``OutputFormat/encoding(_:)`` lists
/// the formats.
protocol PictureEncoding: Sendable {
    /// The estimated CPU time per pixel of the result, in nanoseconds.
    var nanosecondsPerPixel: Int { get }

    /// The estimated memory of encoding in bytes, in addition to its input.
    func workingBytes(_ plan: EncoderPlan) -> Int

    /// The estimated memory that a finished file keeps beside its bytes; used for ``OutputFormat/Input/rows``.
    func heldBytes(_ plan: EncoderPlan) -> Int

    /// Throws ``CodecError/tooManyPixels(_:limit:)`` if the picture would exceed the limit of CPU time.
    func check(_ size: OutputSize, _ limits: CodecLimits) throws(CodecError)

    /// Encodes the planes of a picture, for ``OutputFormat/Input/planes``.
    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes

    /// Encodes the pixels of a picture, for ``OutputFormat/Input/pixels``.
    func encode(_ pixels: PixelBuffer, watch: RenderWatch) throws(CodecError) -> EncodedBytes
}

extension PictureEncoding {
    func heldBytes(_ plan: EncoderPlan) -> Int { 0 }
    func check(_ size: OutputSize, _ limits: CodecLimits) throws(CodecError) {}

    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        throw .internalError(reason: "planes for an encoder that takes none")
    }

    func encode(_ pixels: PixelBuffer, watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        throw .internalError(reason: "pixels for an encoder that takes none")
    }
}

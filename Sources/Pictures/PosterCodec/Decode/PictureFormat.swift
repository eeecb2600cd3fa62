/// A format that the codec decodes: how its headers are read, what a decode costs, and its decoder. All of a format is
/// in one folder; ``ImageFormat/decoding`` lists the formats.
///
/// The default implementations are for a decoder that neither shrinks pictures nor leaves out data, and needs the whole
/// file.
protocol PictureFormat: Sendable {
    // MARK: Headers

    /// A reader at the beginning of a file.
    func headerReader() -> any HeaderReader

    /// Verifies that a whole file has all data of the shown picture, and completes the header with what only the end of
    /// a file shows. The header was read from it, and is within the limits.
    /// - Throws: ``CodecError/truncated``, ``CodecError/damaged(reason:)``, ``CodecError/overLimit(_:value:limit:)``,
    ///   ``CodecError/stopped``.
    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError)

    // MARK: Scales

    /// The smallest scale that leaves the resampler its minimum factor.
    /// - Parameter shrinkage: Pixels of the original per pixel of the result, along the side where they are fewer.
    func smallestScale(for source: ImageHeader, shrinkage: Double, halvesChroma: Bool) -> DecodeScale

    /// The scales of decodes for targets of different scales, ascending.
    func sharedScales(for source: ImageHeader) -> [DecodeScale]

    /// The decoded planes without alpha.
    func colourPlanes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane]

    // MARK: Data that may be left out

    /// Whether parts of the file may be left out at a scale below 8/8.
    func hasScans(_ source: ImageHeader) -> Bool

    /// The parts of a file that a decode reads.
    /// - Parameters:
    ///   - scale: Below 8/8.
    ///   - residual: Decoded width over output width.
    func scans(
        of bytes: UnsafeRawBufferPointer, _ source: ImageHeader, at scale: DecodeScale, residual: Double,
        effort: RenderTarget.Effort, halvesChroma: Bool, limits: CodecLimits
    ) -> ScanSelection

    // MARK: Costs

    /// The estimated CPU time of reading a whole file, in nanoseconds; see ``DecodeCost``.
    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double

    /// The time of decoding per pixel, in nanoseconds, as measured with `poster-bench speed`.
    func nanosecondsPerPixel(of source: ImageHeader) -> Double

    /// The estimated memory of the decoder in bytes, rather too high, without its input and the rows it delivers.
    /// - Parameter limits: Assumed for numbers that the header lacks.
    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int

    /// The rows of the original in a group of the decoder; `nil` for groups of eight decoded rows.
    func groupHeight(of source: ImageHeader) -> Int?

    // MARK: Decoding

    /// Whether a service decodes originals only in worker processes.
    var needsWorker: Bool { get }

    /// Whether rows can be decoded before the whole file has arrived.
    func canDecodeEarly(_ source: ImageHeader) -> Bool

    /// Opens a file and passes its decoder to `use`.
    /// - Parameter arriving: Has `bytes`; `nil` if the file is complete.
    /// - Throws: Also the errors of `use`.
    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError)
}

/// A consumer of opened decoders of any format.
protocol PlaneSourceUse {
    mutating func use<Source: PlaneSource & ~Copyable>(_ source: consuming Source) throws(CodecError)
}

/// Reads a header while its bytes arrive. The value is the state between readings.
protocol HeaderReader: Sendable {
    /// The number of bytes that need not be read again.
    var reached: Int { get }

    /// Reads on, with more bytes of the same file.
    /// - Parameters:
    ///   - limits: Limits of metadata in front of the picture; the caller checks the picture's own.
    ///   - isWhole: Whether the file ends here, so that anything missing after the picture counts as absent.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: CodecLimits, isWhole: Bool
    ) throws(CodecError) -> ProbeResult
}

extension PictureFormat {
    func smallestScale(for source: ImageHeader, shrinkage: Double, halvesChroma: Bool) -> DecodeScale { .none }
    func sharedScales(for source: ImageHeader) -> [DecodeScale] { [.none] }
    func colourPlanes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        DecodedPlane.whole(of: source, at: scale)
    }

    func hasScans(_ source: ImageHeader) -> Bool { false }

    func scans(
        of bytes: UnsafeRawBufferPointer, _ source: ImageHeader, at scale: DecodeScale, residual: Double,
        effort: RenderTarget.Effort, halvesChroma: Bool, limits: CodecLimits
    ) -> ScanSelection { ScanSelection() }

    func groupHeight(of source: ImageHeader) -> Int? { nil }
    var needsWorker: Bool { false }
    func canDecodeEarly(_ source: ImageHeader) -> Bool { false }
}

/// The input of a decoder from a render's plan.
struct SourcePlan: Hashable {
    /// The header of the original.
    let source: ImageHeader
    let scale: DecodeScale
    /// The scans that are read; `nil` reads the whole file.
    let scans: ScanSelection?

    /// The ranges to read of a file of `byteCount` bytes, ascending.
    func ranges(in byteCount: Int) -> [Range<Int>] { self.scans?.ranges(in: byteCount) ?? [0..<byteCount] }
}

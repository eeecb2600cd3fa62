/// How a picture will be rendered: a value that follows from the header and the target alone.
public struct RenderPlan: Hashable, Sendable {
    /// What the plan was made from.
    public let source: ImageHeader
    /// Of the result, as shown.
    public let size: OutputSize
    /// How much the decoder itself shrinks, in eighths of the original: 1, 2, 4 or 8. The inverse DCTs of these are the
    /// ones that libjpeg-turbo has in SIMD.
    public let eighths: Int
    /// Decoded width over output width: what is left for the resampler.
    public let residual: Double
    /// Of the result.
    public let format: OutputFormat
    /// 1...100.
    public let quality: Int
    /// The memory that the render will take beside the original's bytes and its result, in bytes, estimated.
    public let workingBytes: Int

    /// Decoding may shrink only as far as the resampler still has this factor to do.
    ///
    /// The smaller the inverse DCT, the cruder a filter it is. On posters with hard edges, luma against a full decode is
    /// 46 dB and more at 4/8 with a residual of 2, but 42 to 44 dB at 1/8 and 2/8; with 3 those reach 46 dB, too.
    static func minimumResidual(eighths: Int) -> Double {
        eighths == 4 ? 2 : 3
    }

    /// - Throws: ``CodecError/unsupported(_:)``, ``CodecError/overLimit(_:value:limit:)`` or
    ///   ``CodecError/sideTooLong(pixels:limit:)``.
    public init(_ source: ImageHeader, target: RenderTarget, limits: CodecLimits = .init()) throws(CodecError) {
        switch source.colourModel {
        case .gray, .yCbCr: break
        case .rgb, .cmyk, .ycck:
            throw .unsupported("\(source.colourModel.rawValue.uppercased()) \(source.format.rawValue)")
        }
        try source.check(limits)
        self.source = source
        self.size = try OutputSize(fitting: source.uprightSize, width: target.width)
        self.format = target.format
        self.quality = target.quality

        let upright = source.uprightSize
        let across = Double(upright.width) / Double(self.size.width)
        let down = Double(upright.height) / Double(self.size.height)
        // The stricter side decides: a picture one pixel high must not lose that pixel to the decoder.
        self.eighths = [1, 2, 4].first { min(across, down) * Double($0) / 8 >= Self.minimumResidual(eighths: $0) } ?? 8
        self.residual = across * Double(self.eighths) / 8

        self.workingBytes = Self.workingBytes(source, size: self.size, eighths: self.eighths, format: target.format)
        guard self.workingBytes <= limits.maxWorkingBytes else {
            throw .overLimit(.workingMemory, value: self.workingBytes, limit: limits.maxWorkingBytes)
        }
    }

    private static func workingBytes(
        _ source: ImageHeader, size: OutputSize, eighths: Int, format: OutputFormat
    ) -> Int {
        let maxHorizontal = source.sampling.map(\.horizontal).max() ?? 1
        let maxVertical = source.sampling.map(\.vertical).max() ?? 1
        let unitsAcross = (source.width + 8 * maxHorizontal - 1) / (8 * maxHorizontal)
        let unitsDown = (source.height + 8 * maxVertical - 1) / (8 * maxVertical)
        let samplesPerUnit = source.sampling.reduce(0) { $0 + 64 * $1.horizontal * $1.vertical }
        // libjpeg keeps 16-bit coefficients of the whole picture when no single scan has them all.
        let coefficients = source.isMultiScan ? 2 * samplesPerUnit * unitsAcross * unitsDown : 0
        // Per plane: as many decoded rows as the filter is high, and one group that is being decoded.
        let down = Double(source.height) / Double(source.orientation.swapsSides ? size.width : size.height)
        let tapsDown = Int(6 * max(1, down * Double(eighths) / 8)) + 2
        let rowBytes = unitsAcross * maxHorizontal * eighths
        let rings = source.sampling.count * rowBytes * (2 * tapsDown + 2 * maxVertical * eighths)
        // Output planes, twice when turned, and what the encoder holds beside them.
        let pixels = size.width * size.height
        let planes = pixels * 3 / 2 * (source.orientation.swapsSides ? 2 : 1)
        let encoder = format == .webp ? pixels * 5 / 2 + (1 << 20) : pixels / 2 + (1 << 16)
        return coefficients + rings + planes + encoder
    }
}

extension OutputSize {
    /// The largest picture that is measured, in pixels: a measurement takes about as long as encoding a WebP.
    private static let mostMeasuredPixels = 1 << 21

    /// Whether a re-encoding by likeness measures its results at this size. The values of smaller pictures are not
    /// comparable.
    package var allowsMeasuring: Bool {
        self.pixels <= Self.mostMeasuredPixels && min(self.width, self.height) >= SSIMULACRA2.lowestComparableSide
    }
}

extension RenderPlan {
    /// Whether the likeness of encoded results is measured, which needs the pixels before encoding.
    var isMeasured: Bool {
        guard case .likeness = self.quality, self.encoding == .refined, self.format != .png else { return false }
        return self.size.allowsMeasuring
    }

    /// The memory of measuring in addition to encoding, in bytes: the planes, the decoded result, two files, and the
    /// comparison.
    var measuringBytes: Int {
        self.isMeasured ? (3 + 4 + 2) * self.size.pixels + SSIMULACRA2.memory(width: self.size.width) : 0
    }

    /// The limits of encoding: a measured result has the CPU time for each encoding of its search.
    package func encodingLimits(_ limits: CodecLimits) -> CodecLimits {
        guard self.isMeasured else { return limits }
        var limits = limits
        let (time, isOver) = limits.maxCPUNanoseconds.multipliedReportingOverflow(
            by: UInt64(LikenessSearch.mostEncodings))
        limits.maxCPUNanoseconds = isOver ? .max : time
        return limits
    }

    /// Encodes the planes of the result at its quality.
    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        let number =
            switch self.quality {
            case .fixed(let number): number
            case .likeness(let likeness): LikenessModel.number(for: likeness, of: planes, as: self.format)
            }
        return try self.format.encoding(self.encoderPlan(quality: number)).encode(planes, watch: watch)
    }

    /// Encodes the pixels of the result at its quality.
    func encode(_ pixels: consuming PixelBuffer, watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        guard case .likeness(let likeness) = self.quality, self.format != .png else {
            return try self.encoder.encode(pixels, watch: watch)
        }
        let original = self.format.hasAlpha ? pixels : pixels.flattened(on: self.background)
        let takesPixels = self.format.input(quality: self.quality) == .pixels
        let planes = takesPixels ? [] : DownsampledPicture.pixels(original).planes(for: self)
        func encoded(_ number: Int) throws(CodecError) -> EncodedBytes {
            let encoder = self.format.encoding(self.encoderPlan(quality: number))
            return try takesPixels
                ? encoder.encode(original, watch: watch) : encoder.encode(planes, watch: watch)
        }
        let number = LikenessModel.number(
            for: likeness, of: takesPixels ? YCbCrConverter.statistics.planes(original) : planes, as: self.format)
        guard self.isMeasured else { return try encoded(number) }
        var search = LikenessSearch(from: number, to: likeness, as: self.format)
        var best: EncodedBytes?
        while let number = search.next {
            let file = try encoded(number)
            guard let score = try Self.score(of: file, original: original, watch: watch) else { return file }
            if search.take(score) { best = consume file }
        }
        guard let best = best.take() else { throw .internalError(reason: "a search without results") }
        return best
    }

    /// The measured likeness of an encoded picture; `nil` if its format is not decoded.
    private static func score(
        of file: borrowing EncodedBytes, original: PixelBuffer, watch: RenderWatch
    ) throws(CodecError) -> Double? {
        do throws(CodecError) {
            let copy = try file.withUnsafeBytes { (bytes) throws(CodecError) -> PixelBuffer in
                let target = RenderTarget(format: .png, effort: .full)
                let plan = try RenderPlan(inspect(bytes.bytes, limits: .init()), target: target)
                return try decodePicture(bytes.bytes, plan: plan, limits: .init(), control: watch.control).pixels()
            }
            return try SSIMULACRA2.compare(original, copy, watch: watch)
        } catch {
            if case .unsupported = error { return nil }
            throw error
        }
    }
}

extension YCbCrConverter {
    /// For ``PictureStatistics`` of a format that is encoded from pixels.
    fileprivate static let statistics = YCbCrConverter(isLimitedRange: false, halvesChroma: true)
}

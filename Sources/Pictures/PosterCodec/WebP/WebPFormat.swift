struct WebPFormat: PictureFormat {
    func headerReader() -> any HeaderReader { WebPParser.Progress() }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        var parser = WebPParser(bytes, isWhole: true)
        try parser.checkToEnd(limits: watch.limits)
        header.prefixCodes = try parser.prefixCodes()
        try header.check(watch.limits)
    }

    /// libwebp shrinks lossless pictures more slowly than the resampler, and transparent colours would bleed.
    private static func isShrunk(_ source: ImageHeader) -> Bool { !source.hasAlpha && !source.isLossless }

    func smallestScale(for source: ImageHeader, shrinkage: Double, halvesChroma: Bool) -> DecodeScale {
        guard Self.isShrunk(source) else { return .none }
        // libwebp shrinks chroma, which has half the size, by the same factor.
        let residual = DecodeScale.minimumRescaledResidual(shrinkage)
        return .one(in: max(1, Int(shrinkage / residual / (halvesChroma ? 1 : 2))))
    }

    func sharedScales(for source: ImageHeader) -> [DecodeScale] {
        Self.isShrunk(source) ? [8, 4, 2, 1].map(DecodeScale.one) : [.none]
    }

    func colourPlanes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        guard Self.isShrunk(source) else { return DecodedPlane.whole(of: source, at: scale) }
        let half = DecodedPlane(across: scale.factor / 2, down: scale.factor / 2, scale: scale.factor, isChroma: true)
        return [DecodedPlane.whole(at: scale), half, half]
    }

    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double { Double(source.width) * Double(source.height) * self.nanosecondsPerPixel(of: source) }

    func nanosecondsPerPixel(of source: ImageHeader) -> Double { source.isLossless ? 13 : 10 }

    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int {
        let decoded = scale.decoded(source.width) * scale.decoded(source.height)
        let own = WebPMemoryEstimate(source: source, maxPrefixCodeGroups: limits.maxPrefixCodeGroups).bytes
        return own + decoded * (source.hasAlpha ? 4 : source.isLossless ? 3 : 2)
    }

    /// Whether no memory depends on what comes later in the file.
    func canDecodeEarly(_ source: ImageHeader) -> Bool { !source.mayHavePrefixCodes }

    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError) {
        try use.use(try WebPDecoder(bytes, plan, watch: watch, arriving: arriving))
    }
}

extension WebPParser.Progress: HeaderReader {
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: CodecLimits, isWhole: Bool
    ) throws(CodecError) -> ProbeResult {
        var parser = WebPParser(bytes, resuming: self, isWhole: isWhole)
        defer { self = parser.progress }
        return try parser.header()
    }
}

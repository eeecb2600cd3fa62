struct JPEGFormat: PictureFormat {
    func headerReader() -> any HeaderReader { JPEGParser.Progress() }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        var parser = JPEGParser(bytes)
        do throws(CodecError) {
            try CodecLimits.check(.scans, parser.scanCount(), atMost: watch.limits.maxScans)
        } catch {
            if case .overLimit = error { throw error }
            guard try JPEGScanCheck.hasAllBlocks(bytes, watch: watch) else { throw error }
        }
    }

    func smallestScale(for source: ImageHeader, shrinkage: Double, halvesChroma: Bool) -> DecodeScale {
        if source.isLossless { return .none }
        let eighths = [1, 2, 4].first { eighths in
            shrinkage * Double(eighths) / 8
                >= DecodeScale.minimumResidual(eighths: eighths, pixels: source.width * source.height)
        }
        return .eighths(eighths ?? 8)
    }

    func sharedScales(for source: ImageHeader) -> [DecodeScale] {
        source.isLossless ? [.none] : [1, 2, 4, 8].map(DecodeScale.eighths)
    }

    func colourPlanes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        DecodedPlane.components(of: source, eighths: scale.eighths)
    }

    func hasScans(_ source: ImageHeader) -> Bool { source.isProgressive }

    func scans(
        of bytes: UnsafeRawBufferPointer, _ source: ImageHeader, at scale: DecodeScale, residual: Double,
        effort: RenderTarget.Effort, halvesChroma: Bool, limits: CodecLimits
    ) -> ScanSelection {
        ScanSelection(
            JPEGScanTable(bytes, maxScans: limits.maxScans), of: source, eighths: scale.eighths, residual: residual,
            effort: effort, halvesChroma: halvesChroma)
    }

    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double {
        let blocks = Double(source.width) * Double(source.height) / 64 * Self.blocksPerLumaBlock(of: source)
        let eighths = scale.eighths
        guard source.isProgressive else {
            let block = eighths == 1 ? 21.0 : eighths == 2 ? 22 : eighths == 4 ? 28 : 37
            return 4.8 * Double(byteCount) + block * blocks
        }
        // Scans are decoded side by side. If some may be left out, the rest takes this share of the time per byte of
        // the file: the bits of large coefficients, which come first, are decoded faster than the bits of many small
        // ones.
        let share = effort == .full || eighths == 8 ? 1 : eighths == 1 ? 0.02 : eighths == 2 ? 0.11 : 0.28
        let block = eighths == 1 ? 15.0 : eighths == 2 ? 22 : eighths == 4 ? 27 : 35
        return 14 * share * Double(byteCount) + block * blocks
    }

    /// The blocks of all components per block of the largest one.
    private static func blocksPerLumaBlock(of source: ImageHeader) -> Double {
        let (sum, most) = source.sampling.reduce((0, 1)) { result, factors in
            let blocks = factors.horizontal * factors.vertical
            return (result.0 + blocks, max(result.1, blocks))
        }
        return Double(sum) / Double(most)
    }

    func nanosecondsPerPixel(of source: ImageHeader) -> Double { 2.5 }

    /// libjpeg keeps 16-bit coefficients of the whole picture if no single scan has them all. ``JPEGGroupReader`` needs
    /// only a few rows of them, but leaves a file to libjpeg if a scan proves irregular while it is decoded, such as by
    /// bytes after its data, which libjpeg accepts.
    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int {
        guard source.isMultiScan else { return 0 }
        let most = ImageHeader.SamplingFactors.largest(of: source.sampling)
        let (across, down) = (8 * most.horizontal, 8 * most.vertical)
        let unitCount = ((source.width + across - 1) / across) * ((source.height + down - 1) / down)
        return 2 * unitCount * source.sampling.reduce(0) { $0 + 64 * $1.horizontal * $1.vertical }
    }

    func groupHeight(of source: ImageHeader) -> Int? {
        8 * ImageHeader.SamplingFactors.largest(of: source.sampling).vertical
    }

    /// Whether the picture is baseline with a single scan.
    func canDecodeEarly(_ source: ImageHeader) -> Bool { !source.isProgressive && !source.isMultiScan }

    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError) {
        try use.use(try JPEGDecoder(bytes, plan, watch: watch, arriving: arriving))
    }
}

extension JPEGParser.Progress: HeaderReader {
    var reached: Int { self.offset }

    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: CodecLimits, isWhole: Bool
    ) throws(CodecError) -> ProbeResult {
        var parser = JPEGParser(bytes, resuming: self)
        defer { self = parser.progress }
        return try parser.header()
    }
}

struct JXLFormat: PictureFormat {
    /// libjxl is large, young, and written in C++.
    var needsWorker: Bool { true }

    func headerReader() -> any HeaderReader { JXLParser.Progress() }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        var parser = JXLParser(bytes, limits: watch.limits)
        guard let frames = try parser.checkToEnd().frames else { return }
        header.frameCount = max(1, frames.count)
        header.isLossless = frames.areLossless
        try header.check(watch.limits)
    }

    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double { 50 * Double(source.width * source.height) }

    func nanosecondsPerPixel(of source: ImageHeader) -> Double { 50 }

    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int {
        source.width * source.height * 40 + (8 << 20)
    }

    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError) {
        try use.use(try JXLDecoder(bytes, plan, watch: watch))
    }
}

extension JXLParser.Progress: HeaderReader {
    var reached: Int { self.offset }

    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: CodecLimits, isWhole: Bool
    ) throws(CodecError) -> ProbeResult {
        var parser = JXLParser(bytes, limits: limits, resuming: self)
        defer { self = parser.progress }
        return try parser.header()
    }
}

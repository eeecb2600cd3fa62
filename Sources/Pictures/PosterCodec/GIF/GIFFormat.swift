struct GIFFormat: PictureFormat {
    func headerReader() -> any HeaderReader { GIFParser.Progress() }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        var parser = GIFParser(bytes)
        let frameCount = try parser.frameCount(limits: watch.limits)
        header.frameCount = max(1, frameCount)
        if frameCount == 0, let layout = parser.progress.layout {
            try GIFDecoder.checkPixels(of: layout, in: bytes, watch: watch)
        }
    }

    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double { 4.7 * Double(byteCount) + 4.2 * (Double(source.width) * Double(source.height)) }

    func nanosecondsPerPixel(of source: ImageHeader) -> Double { 8 }

    /// All indices of an interlaced picture, or a row of them; the tables of codes and colours.
    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int {
        (source.isProgressive ? source.width * source.height : source.width) + GIFCodeReader.byteCount + (1 << 14)
    }

    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError) {
        try use.use(try GIFDecoder(bytes, plan, watch: watch))
    }
}

extension GIFParser.Progress: HeaderReader {
    var reached: Int { self.offset }

    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: CodecLimits, isWhole: Bool
    ) throws(CodecError) -> ProbeResult {
        var parser = GIFParser(bytes, resuming: self)
        defer { self = parser.progress }
        return try parser.header()
    }
}

struct PNGFormat: PictureFormat {
    func headerReader() -> any HeaderReader { PNGParser.Progress() }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        // The orientation may follow the picture.
        var parser = PNGParser(bytes)
        let (orientation, hasEnd) = try parser.checkToEnd(of: header, limits: watch.limits)
        header.orientation = orientation ?? header.orientation
        if !hasEnd { try PNGInflater.checkRows(of: bytes, watch: watch) }
    }

    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double { 7 * (Double(source.width) * Double(source.height)) }

    func nanosecondsPerPixel(of source: ImageHeader) -> Double { 5 }

    /// The inflater's window and tables; two rows of up to 8 bytes a pixel, and one row of pixels. An interlaced
    /// picture has them once for each pass, the rows of all passes having 2.75 times its width; and its own row.
    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int {
        let (passes, bytesPerColumn) = source.isProgressive ? (7, 60) : (1, 20)
        return passes << 17 + bytesPerColumn * source.width
    }

    /// Whether the picture is not interlaced.
    func canDecodeEarly(_ source: ImageHeader) -> Bool { !source.isProgressive }

    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError) {
        try use.use(try PNGDecoder(bytes, plan, watch: watch, arriving: arriving))
    }
}

extension PNGParser.Progress: HeaderReader {
    var reached: Int { self.offset }

    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: CodecLimits, isWhole: Bool
    ) throws(CodecError) -> ProbeResult {
        var parser = PNGParser(bytes, resuming: self)
        defer { self = parser.progress }
        return try parser.header()
    }
}

struct JXLFormat: PictureFormat {
    /// libjxl is large, young, and written in C++.
    var needsWorker: Bool { true }

    func headerReader() -> any HeaderReader { JXLParser.Progress() }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        var parser = JXLParser(bytes, limits: watch.limits)
        let frames = try parser.checkToEnd(watch).frames
        let joinedBytes = parser.progress.codestream.joinedBytes
        if let frames {
            frames.complete(&header, joinedBytes: joinedBytes)
        } else {
            // The decoder checks the frames, in a worker. All of a recompressed JPEG is coded by DCT.
            header.layerBytes = joinedBytes
            header.isMultiScan = !parser.progress.restoresJPEG
        }
        try header.check(watch.limits)
    }

    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double { self.nanosecondsPerPixel(of: source) * (Double(source.width) * Double(source.height)) }

    /// DCT; lossless coding; other coding without DCT. Extra channels have no DCT.
    func nanosecondsPerPixel(of source: ImageHeader) -> Double {
        (!source.isMultiScan ? 50 : source.isLossless ? 85 : 230) + 65 * Double(source.extraChannelCount)
    }

    /// Measured, the decoded pixels included: 6.5 bytes a pixel of RGB in one frame coded by DCT, 33 without DCT, 38 in
    /// layers, 17 of gray, and 44 of RGB with alpha. An ICC profile of usual size is within the constant part.
    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int {
        let isGray = source.colourModel == .gray
        let colours = isGray ? 20 : source.isMultiScan ? 40 : source.extraChannelCount > 0 ? 32 : 9
        let pixelBytes = colours + 12 * source.extraChannelCount
        return source.width * source.height * pixelBytes + source.layerBytes + (10 << 20)
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

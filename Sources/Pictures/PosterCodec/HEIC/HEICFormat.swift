struct HEICFormat: PictureFormat {
    func headerReader() -> any HeaderReader { HEIFParser.Progress(.hevc) }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        try HEIFParser.verify(bytes, &header, watch: watch)
    }

    func colourPlanes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        HEIFDecoder.colourPlanes(of: source, at: scale)
    }

    /// libde265 decodes symbols at about 100 Mbit/s.
    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double {
        let sampleCount = Double(source.coding?.sampleCount ?? 0)
        return 80 * Double(byteCount) + (source.bitDepth > 8 ? 20 : 18) * sampleCount
    }

    func nanosecondsPerPixel(of source: ImageHeader) -> Double { 40 }

    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int {
        guard let coding = source.coding else { return 0 }
        return HEICMemoryEstimate(coding: coding, maxSlices: limits.maxCodedUnits).bytes
    }

    /// libde265 has had vulnerabilities.
    var needsWorker: Bool { true }

    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError) {
        try use.use(try HEIFDecoder(bytes, plan, watch: watch))
    }
}

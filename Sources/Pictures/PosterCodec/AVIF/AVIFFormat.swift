struct AVIFFormat: HEIFFormat {
    let codec = ItemCodec.av1

    /// dav1d decodes symbols at about 90 Mbit/s; samples of more than 8 bits are rounded.
    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double {
        let sampleCount = Double(source.coding?.sampleCount ?? 0)
        return 88 * Double(byteCount) + (source.bitDepth > 8 ? 3 : 1.3) * sampleCount
    }

    func nanosecondsPerPixel(of source: ImageHeader) -> Double { 12 }

    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int {
        guard let coding = source.coding else { return 0 }
        return AVIFMemoryEstimate(coding: coding, maxCodedPictures: limits.maxCodedPictures).bytes
    }
}

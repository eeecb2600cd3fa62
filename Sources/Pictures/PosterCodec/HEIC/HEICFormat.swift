struct HEICFormat: HEIFFormat {
    let codec = ItemCodec.hevc

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
}

/// Estimates, never too low, the memory of libde265 1.0 for decoding a HEIC's cells in one thread, and of the decoded
/// cells.
struct HEICMemoryEstimate {
    let coding: HEIFCoding
    /// The assumed number of slice segments per picture if the header has none.
    let maxSlices: Int

    var bytes: Int {
        // Item data that is joined from several parts, and the decoder's copy.
        self.rows(self.coding.colours) + (self.coding.alpha.map(self.rows) ?? 0) + 2 * self.coding.joinedBytes
    }

    /// A decoder, and the planes of a row of cells.
    private func rows(_ cells: HEIFCoding.Cells) -> Int {
        // Rows are aligned to 16 samples, and half as many samples of chroma.
        let (width, height) = ((cells.width + 31) & ~31, cells.height)
        let luma = width * height * (cells.bitDepth > 8 ? 2 : 1)
        let planes = luma * (2 + cells.chromaShare) / 2 + 256
        // Another plane for the filter of sample offsets; modes, vectors and filter strengths of blocks.
        let decoder = luma + 5 * width * height / 2
        return decoder + cells.columns * planes + (self.coding.tileCount ?? self.maxSlices) * Self.sliceBytes
            + Self.decoderBytes
    }

    /// The state of a slice segment's decoder, which is kept up to the picture's end, in bytes.
    private static let sliceBytes = 21 << 10
    /// The memory of a decoder that does not depend on the size, in bytes.
    private static let decoderBytes = 1 << 19
}

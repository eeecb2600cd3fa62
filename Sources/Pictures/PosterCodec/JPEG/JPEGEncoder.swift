import CPosterCodecs

/// Encodes planes of full-range Y′CbCr, or one plane of gray, as JPEG.
package struct JPEGEncoder {
    /// The quality, 1...100.
    package var quality: Int
    /// The sampling factors of luma, relative to chroma's factors of 1: 2×2 is 4:2:0.
    package var lumaFactors: ImageHeader.SamplingFactors
    package var isProgressive = false
    /// Whether the file is made smaller by ``JPEGRefinement``, which takes all coefficients into memory.
    package var isRefined = false

    /// The minimum number of pixels at which a progressive file has fewer bytes than a sequential one.
    static let leastProgressivePixels = 20_000

    package init(quality: Int, halvesChroma: Bool = true) {
        self.quality = quality
        let factor = halvesChroma ? 2 : 1
        self.lumaFactors = .init(horizontal: factor, vertical: factor)
    }

    /// Encodes a whole picture.
    ///
    /// - Parameter planes: One or three; see ``Plane``. This function pads them on the right.
    package func encode(_ planes: consuming [Plane], control: RenderControl = .init()) throws(CodecError) -> [UInt8] {
        var planes = planes
        for index in planes.indices { planes[index].padRight() }
        return try self.encode(planes, watch: RenderWatch(control, limits: .init())).array
    }

    /// Encodes a whole picture.
    ///
    /// - Parameter planes: One or three, padded on the right.
    func encode(_ planes: [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        var writer = try JPEGWriter(
            self, width: planes[0].width, height: planes[0].height, planeCount: planes.count, watch: watch)
        try writer.write(planes)
        return try writer.finish()
    }
}

extension JPEGEncoder {
    init(_ plan: EncoderPlan) {
        self.init(quality: plan.quality, halvesChroma: plan.halvesChroma)
        self.refine(plan.encoding == .refined, pixels: plan.size.pixels)
    }

    /// Chooses the coding of ``EncodingEffort/refined`` for a picture of this size.
    mutating func refine(_ isRefined: Bool, pixels: Int) {
        self.isRefined = isRefined
        self.isProgressive = isRefined && pixels >= Self.leastProgressivePixels
    }
}

/// The costs of ``JPEGEncoder``; apart from it, because a larger value would be allocated for each estimate.
struct JPEGEncoding: PictureEncoding {
    private let quality: Int
    private let halvesChroma, isRefined: Bool

    init(_ plan: EncoderPlan) {
        self.quality = plan.quality
        self.halvesChroma = plan.halvesChroma
        self.isRefined = plan.encoding == .refined
    }

    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        var encoder = JPEGEncoder(quality: self.quality, halvesChroma: self.halvesChroma)
        encoder.refine(self.isRefined, pixels: planes[0].width * planes[0].height)
        return try encoder.encode(planes, watch: watch)
    }

    /// Little beside decoding, during which the rows are encoded; a refined picture of noise takes 400.
    var nanosecondsPerPixel: Int { self.isRefined ? 60 : 2 }

    func workingBytes(_ plan: EncoderPlan) -> Int { self.bufferBytes(plan) + self.coefficientBytes(plan) }
    func heldBytes(_ plan: EncoderPlan) -> Int { self.bufferBytes(plan) / 2 + self.coefficientBytes(plan) }

    /// The buffer of the file, which grows by doubling; noise takes two bytes per pixel at the best quality.
    private func bufferBytes(_ plan: EncoderPlan) -> Int {
        plan.size.pixels * (plan.quality >= 90 ? 6 : 2) + (1 << 16)
    }

    /// The coefficients of a refined picture: 16 bits per sample, and the weight of each block's errors.
    private func coefficientBytes(_ plan: EncoderPlan) -> Int {
        guard self.isRefined else { return 0 }
        // Whole blocks; with 4:2:0, pairs of blocks.
        let padded = (plan.size.width + 15) / 16 * ((plan.size.height + 15) / 16) * 256
        let samples = padded * (plan.halvesChroma ? 3 : 6) / 2
        return 2 * samples + samples / 16
    }
}

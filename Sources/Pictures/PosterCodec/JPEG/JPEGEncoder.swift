import CPosterCodecs

/// Encodes planes of full-range Y′CbCr, or one plane of gray, as JPEG.
package struct JPEGEncoder {
    /// The quality, 1...100.
    package var quality: Int
    /// The sampling factors of luma, relative to chroma's factors of 1: 2×2 is 4:2:0.
    package var lumaFactors: ImageHeader.SamplingFactors
    package var isProgressive = false
    /// Whether the Huffman tables are optimised for the picture, which takes all coefficients into memory. Progressive
    /// files always have optimised tables.
    package var optimizes = false

    /// The minimum number of pixels at which a progressive file has fewer bytes than an optimised one.
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
        self.optimizes = isRefined
        self.isProgressive = isRefined && pixels >= Self.leastProgressivePixels
    }
}

/// The costs of ``JPEGEncoder``; apart from it, because a larger value would be allocated for each estimate.
struct JPEGEncoding: PictureEncoding {
    private let quality: Int
    private let halvesChroma, optimizes: Bool

    init(_ plan: EncoderPlan) {
        self.quality = plan.quality
        self.halvesChroma = plan.halvesChroma
        self.optimizes = plan.encoding == .refined
    }

    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        var encoder = JPEGEncoder(quality: self.quality, halvesChroma: self.halvesChroma)
        encoder.refine(self.optimizes, pixels: planes[0].width * planes[0].height)
        return try encoder.encode(planes, watch: watch)
    }

    /// Little beside decoding, during which the rows are encoded.
    var nanosecondsPerPixel: Int { self.optimizes ? 20 : 2 }

    func workingBytes(_ plan: EncoderPlan) -> Int { self.bufferBytes(plan) + self.coefficientBytes(plan) }
    func heldBytes(_ plan: EncoderPlan) -> Int { self.bufferBytes(plan) / 2 + self.coefficientBytes(plan) }

    /// The buffer of the file, which grows by doubling; noise takes two bytes per pixel at the best quality.
    private func bufferBytes(_ plan: EncoderPlan) -> Int {
        plan.size.pixels * (plan.quality >= 90 ? 6 : 2) + (1 << 16)
    }

    /// The coefficients that libjpeg stores to optimise a picture's Huffman tables: 16 bits per sample.
    private func coefficientBytes(_ plan: EncoderPlan) -> Int {
        guard self.optimizes else { return 0 }
        // Whole blocks; with 4:2:0, pairs of blocks.
        let padded = (plan.size.width + 15) / 16 * ((plan.size.height + 15) / 16) * 256
        return padded * (plan.halvesChroma ? 3 : 6)
    }
}

/// A libjpeg compressor, which takes a picture in bands.
struct JPEGWriter: ~Copyable {
    /// All bands but the last must have a multiple of this number of rows, whatever the chroma.
    static let bandRows = 16

    private let writer: LibraryObject
    private let watch: RenderWatch

    init(_ encoder: JPEGEncoder, width: Int, height: Int, planeCount: Int, watch: RenderWatch) throws(CodecError) {
        let writer = try LibraryObject(poster_jpeg_writer_create(), destroy: poster_jpeg_writer_destroy)
        let pointer = writer.pointer
        let format = poster_jpeg_format(
            width: UInt32(width), height: UInt32(height), component_count: UInt32(planeCount),
            luma_horizontal: UInt32(planeCount == 1 ? 1 : encoder.lumaFactors.horizontal),
            luma_vertical: UInt32(planeCount == 1 ? 1 : encoder.lumaFactors.vertical),
            quality: UInt32(encoder.quality), progressive: encoder.isProgressive ? 1 : 0,
            optimizes: encoder.optimizes ? 1 : 0)
        try Self.check(withUnsafePointer(to: format) { poster_jpeg_writer_begin(pointer, $0) }, pointer, watch)
        self.watch = watch
        self.writer = writer
    }

    /// - Parameter planes: The next rows of one or three planes, padded on the right.
    mutating func write(_ planes: [Plane]) throws(CodecError) {
        // Gray passes its only plane three times; the C code reads as many as there are components.
        let (luma, blue, red) = (planes[0], planes[planes.count > 1 ? 1 : 0], planes[planes.count > 2 ? 2 : 0])
        let status = luma.samples.withUnsafeBufferPointer { y in
            blue.samples.withUnsafeBufferPointer { cb in
                red.samples.withUnsafeBufferPointer { cr in
                    let band = poster_jpeg_band(
                        planes: (y.baseAddress, cb.baseAddress, cr.baseAddress),
                        strides: (luma.stride, blue.stride, red.stride),
                        rows: (UInt32(luma.height), UInt32(blue.height), UInt32(red.height)))
                    return withUnsafePointer(to: band) { band in
                        self.watch.withHandle { poster_jpeg_writer_write(self.writer.pointer, band, $0) }
                    }
                }
            }
        }
        try Self.check(status, self.writer.pointer, self.watch)
    }

    /// Ends the file after the last row.
    consuming func finish() throws(CodecError) -> EncodedBytes {
        var bytes = poster_bytes()
        try Self.check(poster_jpeg_writer_finish(self.writer.pointer, &bytes), self.writer.pointer, self.watch)
        return EncodedBytes(bytes)
    }

    private static func check(
        _ status: poster_status, _ writer: OpaquePointer, _ watch: RenderWatch
    ) throws(CodecError) {
        try watch.check(
            status, corrupt: .unencodable(reason: String(cString: poster_jpeg_writer_message(writer))),
            misuse: .internalError(reason: "a picture that libjpeg cannot encode"))
    }
}

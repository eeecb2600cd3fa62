import CPosterCodecs

/// A libjpeg compressor, which takes a picture in bands.
struct JPEGWriter: ~Copyable {
    /// All bands but the last must have a multiple of this number of rows, whatever the chroma.
    static let bandRows = 16

    private let writer: LibraryObject
    private let watch: RenderWatch
    /// `nil` if libjpeg transforms and quantises.
    private var refinement: JPEGRefinement?

    init(_ encoder: JPEGEncoder, width: Int, height: Int, planeCount: Int, watch: RenderWatch) throws(CodecError) {
        let writer = try LibraryObject(poster_jpeg_writer_create(), destroy: poster_jpeg_writer_destroy)
        let pointer = writer.pointer
        let format = poster_jpeg_format(
            width: UInt32(width), height: UInt32(height), component_count: UInt32(planeCount),
            luma_horizontal: UInt32(planeCount == 1 ? 1 : encoder.lumaFactors.horizontal),
            luma_vertical: UInt32(planeCount == 1 ? 1 : encoder.lumaFactors.vertical),
            quality: UInt32(encoder.quality), progressive: encoder.isProgressive ? 1 : 0)
        if encoder.isRefined {
            var blocks = [poster_jpeg_plane_blocks](repeating: .init(), count: planeCount)
            let status = withUnsafePointer(to: format) { format in
                blocks.withUnsafeMutableBufferPointer {
                    poster_jpeg_writer_begin_coefficients(pointer, format, $0.baseAddress!)
                }
            }
            try Self.check(status, pointer, watch)
            self.refinement = JPEGRefinement(encoder, blocks: blocks, width: width, height: height)
        } else {
            try Self.check(withUnsafePointer(to: format) { poster_jpeg_writer_begin(pointer, $0) }, pointer, watch)
        }
        self.watch = watch
        self.writer = writer
    }

    /// - Parameter planes: The next rows of one or three planes, padded on the right.
    mutating func write(_ planes: [Plane]) throws(CodecError) {
        guard self.refinement == nil else { return try self.refinement!.add(planes, watch: self.watch) }
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
        if let refinement {
            let script = try refinement.quantise(watch: self.watch)
            let status = withUnsafePointer(to: script) { script in
                self.watch.withHandle {
                    poster_jpeg_writer_finish_coefficients(self.writer.pointer, script, $0, &bytes)
                }
            }
            try Self.check(status, self.writer.pointer, self.watch)
            return EncodedBytes(bytes)
        }
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

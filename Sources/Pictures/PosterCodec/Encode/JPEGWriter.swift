import CPosterCodecs

/// One libjpeg compressor that is given a picture in bands, from its creation to its destruction.
struct JPEGWriter: ~Copyable {
    /// All bands but the last must have a multiple of so many rows, whatever the chroma.
    static let bandRows = 16

    private let handle: OpaquePointer

    init(_ format: poster_jpeg_format) throws(CodecError) {
        guard let handle = poster_jpeg_writer_create() else { throw .outOfMemory }
        do throws(CodecError) {
            let status = withUnsafePointer(to: format) { poster_jpeg_writer_begin(handle, $0) }
            try Self.check(status, handle, watch: nil)
        } catch {
            poster_jpeg_writer_destroy(handle)
            throw error
        }
        self.handle = handle
    }

    deinit {
        poster_jpeg_writer_destroy(self.handle)
    }

    /// - Parameter planes: The next rows of each, padded on the right; one, or three.
    mutating func write(_ planes: [Plane], watch: RenderWatch) throws(CodecError) {
        // Gray lends its only plane three times; the shim reads as many as there are components.
        let (luma, blue, red) = (planes[0], planes[planes.count > 1 ? 1 : 0], planes[planes.count > 2 ? 2 : 0])
        let status = luma.samples.withUnsafeBufferPointer { y in
            blue.samples.withUnsafeBufferPointer { cb in
                red.samples.withUnsafeBufferPointer { cr in
                    let band = poster_jpeg_band(
                        planes: (y.baseAddress, cb.baseAddress, cr.baseAddress),
                        strides: (luma.stride, blue.stride, red.stride),
                        rows: (UInt32(luma.height), UInt32(blue.height), UInt32(red.height)))
                    let ask = watch.handle
                    return withUnsafePointer(to: band) { band in
                        withUnsafePointer(to: ask) { poster_jpeg_writer_write(self.handle, band, $0) }
                    }
                }
            }
        }
        try Self.check(status, self.handle, watch: watch)
    }

    /// Ends the file after the last row.
    consuming func finish() throws(CodecError) -> EncodedBytes {
        var bytes = poster_bytes()
        try Self.check(poster_jpeg_writer_finish(self.handle, &bytes), self.handle, watch: nil)
        return EncodedBytes(bytes)
    }

    private static func check(
        _ status: poster_jpeg_status, _ handle: OpaquePointer, watch: RenderWatch?
    ) throws(CodecError) {
        switch status {
        case .ok: return
        case .stopped: throw watch?.verdict ?? .stopped
        case .outOfMemory: throw .outOfMemory
        case .corrupt, .truncated, .tooManyScans:
            throw .unencodable(reason: String(cString: poster_jpeg_writer_message(handle)))
        case .misuse: throw .internalError(reason: "a picture that libjpeg cannot encode")
        }
    }
}

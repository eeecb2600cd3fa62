import CPosterCodecs

/// Encodes planes of full-range Y′CbCr, or one of gray, as JPEG.
package struct JPEGEncoder {
    /// 1...100.
    package var quality: Int
    /// Chroma planes are so many times smaller than luma, across and down: 2×2 is 4:2:0.
    package var lumaFactors: ImageHeader.SamplingFactors
    package var isProgressive = false

    package init(quality: Int, halvesChroma: Bool = true) {
        self.quality = quality
        let factor = halvesChroma ? 2 : 1
        self.lumaFactors = .init(horizontal: factor, vertical: factor)
    }

    /// - Parameter planes: One or three; see ``Plane``. Padded on the right here.
    package func encode(_ planes: consuming [Plane], control: RenderControl = .init()) throws(CodecError) -> [UInt8] {
        try self.encode(planes, watch: RenderWatch(control, limits: .init()))
    }

    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> [UInt8] {
        var planes = planes
        for index in planes.indices { planes[index].padRight() }
        guard let writer = poster_jpeg_writer_create() else { throw .outOfMemory }
        defer { poster_jpeg_writer_destroy(writer) }

        var picture = poster_jpeg_picture()
        picture.width = UInt32(planes[0].width)
        picture.height = UInt32(planes[0].height)
        picture.component_count = UInt32(planes.count)
        picture.luma_horizontal = UInt32(planes.count == 1 ? 1 : self.lumaFactors.horizontal)
        picture.luma_vertical = UInt32(planes.count == 1 ? 1 : self.lumaFactors.vertical)
        picture.quality = UInt32(self.quality)
        picture.progressive = self.isProgressive ? 1 : 0
        // Gray lends its only plane three times; the shim reads as many as there are components.
        let (luma, blue, red) = (planes[0], planes[planes.count > 1 ? 1 : 0], planes[planes.count > 2 ? 2 : 0])
        picture.strides = (luma.stride, blue.stride, red.stride)
        picture.rows = (UInt32(luma.height), UInt32(blue.height), UInt32(red.height))

        return try luma.samples.withUnsafeBufferPointer { (y) throws(CodecError) -> [UInt8] in
            try blue.samples.withUnsafeBufferPointer { (cb) throws(CodecError) -> [UInt8] in
                try red.samples.withUnsafeBufferPointer { (cr) throws(CodecError) -> [UInt8] in
                    picture.planes = (y.baseAddress, cb.baseAddress, cr.baseAddress)
                    return try Self.encode(picture, writer: writer, watch: watch)
                }
            }
        }
    }

    private static func encode(
        _ picture: poster_jpeg_picture, writer: OpaquePointer, watch: RenderWatch
    ) throws(CodecError) -> [UInt8] {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        let ask = watch.handle
        let status = withUnsafePointer(to: picture) { picture in
            withUnsafePointer(to: ask) { poster_jpeg_writer_encode(writer, picture, $0, &bytes, &count) }
        }
        switch status {
        case .ok: return Array(UnsafeBufferPointer(start: bytes, count: count))
        case .stopped: throw watch.verdict ?? .stopped
        case .outOfMemory: throw .outOfMemory
        case .corrupt, .truncated, .tooManyScans:
            throw .unencodable(reason: String(cString: poster_jpeg_writer_message(writer)))
        case .misuse: preconditionFailure("a picture that libjpeg cannot encode")
        }
    }
}

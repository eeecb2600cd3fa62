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

    /// Encodes a whole picture.
    ///
    /// - Parameter planes: One or three; see ``Plane``. Padded on the right here.
    package func encode(_ planes: consuming [Plane], control: RenderControl = .init()) throws(CodecError) -> [UInt8] {
        try self.encode(planes, watch: RenderWatch(control, limits: .init()))
    }

    func encode(_ planes: consuming [Plane], watch: RenderWatch) throws(CodecError) -> [UInt8] {
        var planes = planes
        for index in planes.indices { planes[index].padRight() }
        var writer = try self.writer(width: planes[0].width, height: planes[0].height, planeCount: planes.count)
        try writer.write(planes, watch: watch)
        return try writer.finish().array
    }

    /// A writer for a picture in bands.
    ///
    /// - Parameters:
    ///   - width: In pixels, as is `height`.
    ///   - planeCount: 1 or 3.
    func writer(width: Int, height: Int, planeCount: Int) throws(CodecError) -> JPEGWriter {
        var format = poster_jpeg_format()
        format.width = UInt32(width)
        format.height = UInt32(height)
        format.component_count = UInt32(planeCount)
        format.luma_horizontal = UInt32(planeCount == 1 ? 1 : self.lumaFactors.horizontal)
        format.luma_vertical = UInt32(planeCount == 1 ? 1 : self.lumaFactors.vertical)
        format.quality = UInt32(self.quality)
        format.progressive = self.isProgressive ? 1 : 0
        return try JPEGWriter(format)
    }
}

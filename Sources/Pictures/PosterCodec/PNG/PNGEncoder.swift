import CPosterCodecs

/// Encodes sRGB pixels as PNG, without metadata.
struct PNGEncoder {
    /// zlib's level, 1...9. With the filters None, Sub and Up, level 3 takes a third of the time of level 6 with all
    /// filters, for one per cent more bytes; level 4 is both slower and larger.
    static let level: UInt32 = 3

    func encode(_ pixels: PixelBuffer, watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        let writer = try LibraryObject(poster_png_writer_create(), destroy: poster_png_writer_destroy)
        let pointer = writer.pointer
        let isOpaque = pixels.isOpaque
        var bytes = poster_bytes()
        let status = pixels.samples.withUnsafeBufferPointer { samples in
            let picture = poster_png_picture(
                width: UInt32(pixels.width), height: UInt32(pixels.height), channels: UInt32(pixels.channels),
                pixels: samples.baseAddress!, stride: pixels.width * pixels.channels, level: Self.level,
                drops_alpha: isOpaque ? 1 : 0)
            return withUnsafePointer(to: picture) { picture in
                watch.withHandle { poster_png_writer_encode(pointer, picture, $0, &bytes) }
            }
        }
        try watch.check(
            status, corrupt: .unencodable(reason: String(cString: poster_png_writer_message(writer.pointer))),
            misuse: .internalError(reason: "a picture that libpng cannot encode"))
        return EncodedBytes(bytes)
    }
}

extension PNGEncoder: PictureEncoding {
    var nanosecondsPerPixel: Int { 60 }

    func workingBytes(_ plan: EncoderPlan) -> Int { 2 * (plan.hasAlpha ? 4 : 3) * plan.size.pixels + (1 << 19) }
}

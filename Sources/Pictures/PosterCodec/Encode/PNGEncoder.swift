import CPosterCodecs

/// Encodes sRGB pixels as PNG, without metadata.
struct PNGEncoder {
    /// zlib's level, 1...9. With the filters None, Sub and Up, level 3 takes a third of the time of level 6 with all
    /// filters, for one per cent more bytes; level 4 is both slower and larger.
    static let level: UInt32 = 3

    func encode(_ pixels: PixelBuffer, watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        guard let writer = poster_png_writer_create() else { throw .outOfMemory }
        defer { poster_png_writer_destroy(writer) }
        let isOpaque = pixels.isOpaque
        let file = try pixels.samples.withUnsafeBufferPointer { (samples) throws(CodecError) -> poster_bytes in
            let picture = poster_png_picture(
                width: UInt32(pixels.width), height: UInt32(pixels.height), channels: UInt32(pixels.channels),
                pixels: samples.baseAddress!, stride: pixels.width * pixels.channels, level: Self.level,
                drops_alpha: isOpaque ? 1 : 0)
            return try Self.encode(picture, writer: writer, watch: watch)
        }
        return EncodedBytes(file)
    }

    private static func encode(
        _ picture: poster_png_picture, writer: OpaquePointer, watch: RenderWatch
    ) throws(CodecError) -> poster_bytes {
        var bytes = poster_bytes()
        let status = withUnsafePointer(to: picture) { picture in
            watch.withHandle { poster_png_writer_encode(writer, picture, $0, &bytes) }
        }
        switch status {
        case .ok: return bytes
        case .stopped: throw watch.error
        case .outOfMemory: throw .outOfMemory
        case .corrupt, .truncated: throw .unencodable(reason: String(cString: poster_png_writer_message(writer)))
        case .misuse: throw .internalError(reason: "a picture that libpng cannot encode")
        }
    }
}

extension PixelBuffer {
    /// Whether no pixel is transparent.
    fileprivate var isOpaque: Bool {
        guard self.channels == 4 else { return true }
        return self.samples.withUnsafeBufferPointer { samples in
            stride(from: 3, to: samples.count, by: 4).allSatisfy { samples[$0] == 255 }
        }
    }
}

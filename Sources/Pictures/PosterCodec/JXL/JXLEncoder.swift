import CPosterCodecs

/// Encodes sRGB pixels as lossy JPEG XL with alpha that is exact to a few levels, without metadata. The picture is a
/// stack of frames, one below the other, because libjxl needs about 50 bytes per pixel of a frame.
struct JXLEncoder {
    var distance: JXLDistance
    var effort = JXLEffort.four

    /// Encodes a whole picture; stops between frames.
    func encode(_ pixels: PixelBuffer, watch: RenderWatch) throws(CodecError) -> EncodedBytes {
        let pixels = pixels.isOpaque ? pixels.withoutAlpha() : pixels
        let layers = JXLLayers(width: pixels.width, height: pixels.height)
        var bytes = poster_bytes()
        let status = pixels.samples.withUnsafeBufferPointer { samples in
            let picture = poster_jxl_picture(
                width: UInt32(pixels.width), height: UInt32(pixels.height), channels: UInt32(pixels.channels),
                pixels: samples.baseAddress!, rows_per_frame: UInt32(layers.rowsPerFrame),
                distance: self.distance.rawValue, effort: self.effort.rawValue)
            return withUnsafePointer(to: picture) { picture in
                watch.withHandle { poster_jxl_encode(picture, $0, &bytes) }
            }
        }
        try watch.check(
            status, corrupt: .unencodable(reason: "libjxl refused the picture"),
            misuse: .internalError(reason: "a picture that libjxl cannot encode"))
        return EncodedBytes(bytes)
    }
}

extension JXLEncoder: PictureEncoding {
    init(_ plan: EncoderPlan) {
        self.init(
            distance: JXLDistance(quality: plan.quality), effort: JXLEffort(for: plan.size, encoding: plan.encoding))
    }

    var nanosecondsPerPixel: Int { self.effort.nanosecondsPerPixel }

    /// The memory of libjxl 0.7, as measured: a constant, and a part per pixel of a frame.
    func workingBytes(_ plan: EncoderPlan) -> Int {
        let layers = JXLLayers(width: plan.size.width, height: plan.size.height)
        let opaque = plan.hasAlpha ? 3 * plan.size.pixels : 0
        return (plan.hasAlpha ? 80 : 50) * plan.size.width * layers.rowsPerFrame + opaque + (3 << 20)
    }
}

/// The frames of a picture, one below the other. One, if possible: browsers draw the whole picture again for each frame,
/// and show nothing before the last one. libjxl keeps a whole frame as floats several times, so that a large picture
/// would take hundreds of megabytes.
struct JXLLayers {
    /// The rows of every frame except the last one.
    let rowsPerFrame: Int

    /// The size of a frame in pixels that is exceeded only by rounding.
    static let maxPixels = 1_000_000
    /// Frames end between blocks.
    private static let blockSide = 8

    /// - Parameters:
    ///   - width: In pixels, at least 1, as `height`.
    init(width: Int, height: Int) {
        let frames = (width * height + Self.maxPixels - 1) / Self.maxPixels
        let rows = (height + frames - 1) / frames
        self.rowsPerFrame = min(height, (rows + Self.blockSide - 1) / Self.blockSide * Self.blockSide)
    }
}

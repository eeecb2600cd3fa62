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

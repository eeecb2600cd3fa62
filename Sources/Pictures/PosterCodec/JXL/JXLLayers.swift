/// The frames of a picture, one below the other: few, because each has entropy codes of its own, of 500 to 1100 bytes,
/// but small, because libjxl keeps a whole frame as floats several times.
struct JXLLayers {
    /// The rows of every frame except the last one.
    let rowsPerFrame: Int

    /// Frames end between blocks.
    private static let blockSide = 8

    /// - Parameters:
    ///   - width: In pixels, at least 1, as `height`.
    ///   - effort: Determines the size of a frame, which only rounding exceeds.
    init(width: Int, height: Int, effort: JXLEffort) {
        let frames = max(1, (width * height + effort.maxFramePixels - 1) / effort.maxFramePixels)
        let rows = (height + frames - 1) / frames
        self.rowsPerFrame = min(height, (rows + Self.blockSide - 1) / Self.blockSide * Self.blockSide)
    }
}

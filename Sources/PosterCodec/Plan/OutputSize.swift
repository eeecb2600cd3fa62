/// The size of a rendered picture, in pixels.
public struct OutputSize: Hashable, Sendable {
    public let width, height: Int

    /// The size that is `width` wide and keeps the aspect ratio of `source`, rounded, at least 1 and never enlarged.
    ///
    /// - Parameters:
    ///   - source: The original's size as shown, in pixels.
    ///   - width: The width asked for; nil for the original's.
    /// - Throws: ``CodecError/sideTooLong(pixels:limit:)``.
    public init(fitting source: (width: Int, height: Int), width: Int?) throws(CodecError) {
        let width = min(width ?? source.width, source.width)
        // Rounded half up, in integers: (2ab + c) / 2c.
        let height = max(1, (2 * source.height * width + source.width) / (2 * source.width))
        let limit = CodecLimits.maxRenderedSide
        guard width <= limit else { throw .sideTooLong(pixels: width, limit: limit) }
        guard height <= limit else { throw .sideTooLong(pixels: height, limit: limit) }
        self.width = width
        self.height = height
    }
}

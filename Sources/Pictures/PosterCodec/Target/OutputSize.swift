/// The size of a rendered picture, in pixels.
public struct OutputSize: Hashable, Sendable {
    /// At least 1 each.
    public let width, height: Int

    /// The size that is `width` wide and keeps the aspect ratio of `source`, rounded, at least 1 and never enlarged.
    ///
    /// - Parameters:
    ///   - source: The original's size as shown, in pixels.
    ///   - width: The width asked for; nil for the original's.
    /// - Throws: ``CodecError/sideTooLong(pixels:limit:)`` or ``CodecError/tooManyPixels(_:limit:)``.
    public init(fitting source: (width: Int, height: Int), width: Int?) throws(CodecError) {
        self = try Framing(of: source, as: RenderTarget(width: width, format: .jpeg)).size
    }

    /// - Throws: As ``init(fitting:width:)``.
    init(width: Int, height: Int) throws(CodecError) {
        let longest = max(width, height)
        guard longest <= CodecLimits.maxRenderedSide else {
            throw .sideTooLong(pixels: longest, limit: CodecLimits.maxRenderedSide)
        }
        guard width * height <= CodecLimits.maxRenderedPixels else {
            throw .tooManyPixels(width * height, limit: CodecLimits.maxRenderedPixels)
        }
        self.width = width
        self.height = height
    }
}

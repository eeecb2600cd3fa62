/// What somebody wants of a picture.
public struct RenderTarget: Hashable, Sendable {
    /// The width in pixels, at least 1; nil keeps the original's. A picture is never enlarged.
    public var width: Int?
    /// What to encode as.
    public var format: OutputFormat
    /// 1...100.
    public var quality: Int

    /// - Parameter quality: 1...100; nil for the format's default.
    public init(width: Int?, format: OutputFormat, quality: Int? = nil) {
        precondition(width ?? 1 >= 1 && (1...100).contains(quality ?? 1), "width or quality out of range")
        self.width = width
        self.format = format
        self.quality = quality ?? format.defaultQuality
    }
}

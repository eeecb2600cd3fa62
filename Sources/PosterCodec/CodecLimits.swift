/// What a picture may ask for. Everything is checked against the header, before any pixel memory exists.
public struct CodecLimits: Hashable, Sendable {
    /// The limits' names, as they are shown to people.
    public enum Name: String, Hashable, Sendable {
        case pixels
        case scans
        case workingMemory = "working memory"
    }

    /// The largest width × height of an original, in pixels. 100 million by default.
    public var maxPixels = 100_000_000
    /// The most scans that a JPEG may have. 100 by default; encoders write about ten.
    public var maxScans = 100
    /// The most memory that one render may take beside the original's bytes, in bytes, as estimated from the header.
    /// 256 MiB by default.
    public var maxWorkingBytes = 256 << 20
    /// The longest side of a rendered picture, in pixels.
    public static let maxRenderedSide = 8192

    /// The defaults.
    public init() {}
}

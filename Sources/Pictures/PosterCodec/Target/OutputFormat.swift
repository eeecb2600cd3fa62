/// A format that posters are rendered to.
public enum OutputFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg
    case webp
    case png

    /// The quality, 1...100, when nobody asks for another. The scales differ; at these, posters of 368 pixels are equally
    /// like their originals (SSIM). PNG loses nothing.
    public var defaultQuality: Int {
        switch self {
        case .jpeg: 82
        case .webp: 80
        case .png: 100
        }
    }

    /// Whether pixels may be transparent.
    public var hasAlpha: Bool { self != .jpeg }

    /// The media type (RFC 9110, 8.3.1).
    public var mediaType: String { "image/\(self.rawValue)" }
}

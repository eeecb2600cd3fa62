enum OriginalKind: String, CaseIterable {
    case baselineJPEG = "baseline JPEG"
    case progressiveJPEG = "progressive JPEG"
    case png = "PNG"
    case interlacedPNG = "interlaced PNG"
    case lossyWebP = "lossy WebP"
    case losslessWebP = "lossless WebP"

    /// Whether rows can be used as they arrive, so that memory must not depend on the height.
    var streams: Bool {
        switch self {
        case .baselineJPEG, .png, .lossyWebP: true
        // Every scan or pass covers the whole picture, and lossless WebP decodes to one bitmap.
        case .progressiveJPEG, .interlacedPNG, .losslessWebP: false
        }
    }

    var fileName: String {
        switch self {
        case .baselineJPEG: "baseline.jpg"
        case .progressiveJPEG: "progressive.jpg"
        case .png: "rows.png"
        case .interlacedPNG: "interlaced.png"
        case .lossyWebP: "lossy.webp"
        case .losslessWebP: "lossless.webp"
        }
    }
}

/// How an original is coded.
enum OriginalKind: String, CaseIterable {
    case baselineJPEG = "baseline JPEG"
    case progressiveJPEG = "progressive JPEG"
    case png = "PNG"
    case interlacedPNG = "interlaced PNG"
    case lossyWebP = "lossy WebP"
    case losslessWebP = "lossless WebP"

    /// Whether its rows can be used while they arrive: memory must not depend on its height then.
    var streams: Bool {
        switch self {
        case .baselineJPEG, .png, .lossyWebP: true
        // Every scan, or pass, goes over the whole picture, and lossless WebP is one bitmap to its decoder.
        case .progressiveJPEG, .interlacedPNG, .losslessWebP: false
        }
    }

    /// Of a file's name.
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

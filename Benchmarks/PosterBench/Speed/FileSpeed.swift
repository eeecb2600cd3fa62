import PosterCodec

/// One file's figures.
struct FileSpeed {
    let name: String
    /// Of the original, such as "progressive JPEG".
    let kind: String
    /// Medians.
    let milliseconds: StageTimes<Double>
    let byteCount: Int
    /// As ``Peers/likeness(of:to:)`` has it.
    var likeness: Peers.Likeness?
    var peers: [String: PeerSpeed] = [:]

    struct PeerSpeed {
        let milliseconds: Double
        let byteCount: Int
        var likeness: Peers.Likeness?
    }

    /// As people call it.
    static func kind(_ header: ImageHeader) -> String {
        switch header.format {
        case .jpeg: header.isProgressive ? "progressive JPEG" : "baseline JPEG"
        case .png: header.isProgressive ? "interlaced PNG" : "PNG"
        case .webp: header.isLossless ? "lossless WebP" : header.hasAlpha ? "WebP with alpha" : "lossy WebP"
        default: header.format.rawValue
        }
    }
}

import PosterCodec

struct FileSpeed {
    let name: String
    /// The kind of original, such as "progressive JPEG".
    let kind: String
    /// Medians.
    let milliseconds: StageTimes<Double>
    let byteCount: Int
    var likeness: Peers.Likeness?
    var peers: [String: PeerSpeed] = [:]

    struct PeerSpeed {
        let milliseconds: Double
        let byteCount: Int
        var likeness: Peers.Likeness?
    }

    static func kind(_ header: ImageHeader) -> String {
        switch header.format {
        case .jpeg: header.isProgressive ? "progressive JPEG" : "baseline JPEG"
        case .png: header.isProgressive ? "interlaced PNG" : "PNG"
        case .webp: header.isLossless ? "lossless WebP" : header.hasAlpha ? "WebP with alpha" : "lossy WebP"
        default: header.format.rawValue
        }
    }
}

import Glibc
import PosterCodec

/// An encoder: a format and an effort of this codec or of libvips.
struct FormatCoder: Hashable {
    enum Program: Hashable {
        case own(EncodingEffort)
        /// libvips with its "effort", 0...9, which JPEG does not have.
        case libvips(effort: Int)
    }

    let format: OutputFormat
    let program: Program

    /// The baseline of the comparisons.
    static let reference = FormatCoder(format: .webp, program: .own(.first))

    static let own: [FormatCoder] = [OutputFormat.jpeg, .webp, .avif, .jxl].flatMap { format in
        [EncodingEffort.first, .refined].map { FormatCoder(format: format, program: .own($0)) }
    }

    /// libvips' defaults, and its most thorough WebP.
    static let peers = [
        FormatCoder(format: .webp, program: .libvips(effort: 4)),
        FormatCoder(format: .webp, program: .libvips(effort: 6)),
        FormatCoder(format: .avif, program: .libvips(effort: 4)),
    ]

    var name: String {
        switch self.program {
        case .own(let effort): "\(self.format.rawValue) \(effort == .first ? "first" : "refined")"
        case .libvips(let effort): "libvips \(self.format.rawValue) effort \(effort)"
        }
    }

    /// Qualities around the one at which the encoder has the likeness of the reference at its default quality.
    var qualities: [Int] {
        let middle = self.program == .libvips(effort: 4) && self.format == .avif ? 60 : self.format.defaultQuality
        return [middle - 14, middle - 6, middle, middle + 4, middle + 7]
    }
}

/// How alike a picture is to the one before encoding.
enum LikenessMeasure: String, CaseIterable {
    case ssimulacra2 = "SSIMULACRA2"
    /// Of luma.
    case ssim = "SSIM"

    func value(_ point: CodedPoint) -> Double {
        self == .ssim ? point.likeness.luma : point.likeness.ssimulacra2
    }

    /// A scale on which the logarithm of the bytes is nearly linear.
    func scale(_ value: Double) -> Double { self == .ssim ? -log(max(1 - value, 1e-6)) : value }
}

/// The result of one encoding.
struct CodedPoint {
    let quality: Int
    let byteCount: Int
    /// Milliseconds of CPU time.
    let milliseconds: Double
    /// To the picture before encoding.
    var likeness = Peers.Likeness()
}

/// Encodings of one picture by one encoder, by increasing quality.
struct CodedCurve {
    let coder: FormatCoder
    let pixels: Int
    var points: [CodedPoint]

    var atDefault: CodedPoint { self.points[self.points.count / 2] }

    /// Interpolates bytes and milliseconds at a likeness between the two adjacent encodings.
    func value(at likeness: Double, by measure: LikenessMeasure) -> (bytes: Double, milliseconds: Double) {
        let sorted = self.points.sorted { measure.value($0) < measure.value($1) }
        let last = sorted.count - 1
        let above = min(max(1, sorted.firstIndex { measure.value($0) >= likeness } ?? last), last)
        let (low, high) = (sorted[above - 1], sorted[above])
        let start = measure.scale(measure.value(low))
        let span = measure.scale(measure.value(high)) - start
        let share = span > 0 ? (measure.scale(likeness) - start) / span : 0
        let (from, to) = (Double(low.byteCount), Double(high.byteCount))
        let milliseconds = low.milliseconds + (high.milliseconds - low.milliseconds) * min(max(share, 0), 1)
        return (from * pow(to / from, share), milliseconds)
    }
}

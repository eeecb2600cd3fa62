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

/// The result of one encoding.
struct CodedPoint {
    let quality: Int
    let byteCount: Int
    /// Milliseconds of CPU time.
    let milliseconds: Double
    /// SSIM of luma relative to the picture before encoding.
    var likeness: Double
}

/// Encodings of one picture by one encoder, by increasing quality.
struct CodedCurve {
    let coder: FormatCoder
    let pixels: Int
    var points: [CodedPoint]

    var atDefault: CodedPoint { self.points[self.points.count / 2] }

    /// Interpolates bytes and milliseconds at a likeness between the two adjacent encodings: the logarithm of the bytes
    /// is nearly linear in the logarithm of 1 - likeness.
    func value(at likeness: Double) -> (bytes: Double, milliseconds: Double) {
        let sorted = self.points.sorted { $0.likeness < $1.likeness }
        let above = min(max(1, sorted.firstIndex { $0.likeness >= likeness } ?? sorted.count - 1), sorted.count - 1)
        let (low, high) = (sorted[above - 1], sorted[above])
        let span = Self.scale(high.likeness) - Self.scale(low.likeness)
        let share = span > 0 ? (Self.scale(likeness) - Self.scale(low.likeness)) / span : 0
        let (from, to) = (Double(low.byteCount), Double(high.byteCount))
        let milliseconds = low.milliseconds + (high.milliseconds - low.milliseconds) * min(max(share, 0), 1)
        return (from * pow(to / from, share), milliseconds)
    }

    static func scale(_ likeness: Double) -> Double { -log(max(1 - likeness, 1e-6)) }
}

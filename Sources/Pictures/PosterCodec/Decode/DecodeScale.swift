/// The factor by which the decoder itself shrinks each side of a picture.
public struct DecodeScale: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The decoded side is `numerator / denominator` of the original's, rounded up.
    public let numerator, denominator: Int

    /// Full size.
    public static let none = DecodeScale(numerator: 1, denominator: 1)

    /// The scale of a JPEG's inverse DCT: 1, 2, 4 or 8 eighths, for which libjpeg-turbo has SIMD code.
    static func eighths(_ count: Int) -> DecodeScale { DecodeScale(numerator: count, denominator: 8) }

    /// The scale 1 / `count` of libwebp's rescaler.
    static func one(in count: Int) -> DecodeScale { DecodeScale(numerator: 1, denominator: count) }

    var eighths: Int { self.numerator * 8 / self.denominator }

    var factor: Double { Double(self.numerator) / Double(self.denominator) }

    /// The length of a side after decoding, in samples.
    public func decoded(_ side: Int) -> Int {
        (side * self.numerator + self.denominator - 1) / self.denominator
    }

    /// The minimum factor that decoding must leave to the resampler.
    ///
    /// The smaller the inverse DCT, the coarser its filter. On posters with hard edges, luma against a full decode is
    /// 46 dB and more at 4/8 with a residual of 2, but 42 to 44 dB at 1/8 and 2/8; a residual of 3 gives 46 dB there,
    /// too.
    ///
    /// Large originals are softer per pixel: from two million pixels on, 1.9 suffices at 4/8 (46 dB and more).
    static func minimumResidual(eighths: Int, pixels: Int) -> Double {
        eighths == 4 ? (pixels < 2_000_000 ? 2 : 1.9) : 3
    }

    /// The same for libwebp's rescaler, which averages areas: luma is 50 dB and more down to 1/5 with a residual of 2,
    /// but 45 dB at 1/10; a residual of 3 gives 50 dB there, too.
    static func minimumRescaledResidual(_ shrinkage: Double) -> Double {
        shrinkage < 12 ? 2 : 3
    }

    /// Orders by the size of the decoded picture. Only scales of one decoder compare: 8/8 and 1/1 are neither equal nor
    /// ordered.
    public static func < (left: DecodeScale, right: DecodeScale) -> Bool {
        left.numerator * right.denominator < right.numerator * left.denominator
    }

    /// Such as "4/8".
    public var description: String { "\(self.numerator)/\(self.denominator)" }
}

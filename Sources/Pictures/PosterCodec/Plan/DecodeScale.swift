/// How much a decoder itself shrinks each side of a picture.
public struct DecodeScale: Hashable, Sendable {
    /// The decoded side is `numerator / denominator` of the original's, rounded up.
    public let numerator, denominator: Int

    /// Nothing is shrunk.
    public static let none = DecodeScale(numerator: 1, denominator: 1)

    /// Inside a JPEG's inverse DCT: 1, 2, 4 or 8 eighths, those that libjpeg-turbo has in SIMD.
    static func eighths(_ count: Int) -> DecodeScale { DecodeScale(numerator: count, denominator: 8) }

    /// To one pixel of so many, as libwebp can.
    static func one(in count: Int) -> DecodeScale { DecodeScale(numerator: 1, denominator: count) }

    /// Of a JPEG.
    var eighths: Int { self.numerator * 8 / self.denominator }

    /// 1 or less.
    var factor: Double { Double(self.numerator) / Double(self.denominator) }

    /// A side after decoding, in samples.
    public func decoded(_ side: Int) -> Int {
        (side * self.numerator + self.denominator - 1) / self.denominator
    }
}

extension DecodeScale: CustomStringConvertible {
    /// Such as "4/8".
    public var description: String { "\(self.numerator)/\(self.denominator)" }
}

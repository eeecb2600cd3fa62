/// The shown part of a picture (ISO/IEC 14496-12, 12.1.4), as stored: in fractions of pixels.
struct HEIFCleanAperture: Hashable {
    private let width, height, across, down: Fraction

    private struct Fraction: Hashable {
        let numerator, denominator: Int

        /// The value; `nil` if it is not a whole number.
        var whole: Int? {
            guard self.denominator > 0, self.numerator % self.denominator == 0 else { return nil }
            return self.numerator / self.denominator
        }
    }

    /// Reads the content of a `clap` box.
    init(_ fields: inout ISOFields) throws(CodecError) {
        func unsigned() throws(CodecError) -> Fraction {
            Fraction(numerator: try fields.number(4), denominator: try fields.number(4))
        }
        func signed() throws(CodecError) -> Fraction {
            let numerator = Int32(truncatingIfNeeded: try fields.number(4))
            return Fraction(numerator: Int(numerator), denominator: try fields.number(4))
        }
        (self.width, self.height) = (try unsigned(), try unsigned())
        (self.across, self.down) = (try signed(), try signed())
    }

    /// The part in pixels; `nil` if it is not within the picture, or its edges are not between pixels.
    func part(ofWidth width: Int, height: Int) -> (left: Int, top: Int, width: Int, height: Int)? {
        guard let left = Self.start(of: self.width, at: self.across, in: width),
            let top = Self.start(of: self.height, at: self.down, in: height)
        else { return nil }
        return (left.start, top.start, left.length, top.length)
    }

    /// The offset is from the picture's centre to the part's.
    private static func start(
        of length: Fraction, at offset: Fraction, in side: Int
    ) -> (start: Int, length: Int)? {
        guard let length = length.whole, length > 0, length <= side, offset.denominator > 0 else { return nil }
        // Twice the offset may be odd, like the centre.
        let (twice, rest) = (2 * offset.numerator).quotientAndRemainder(dividingBy: offset.denominator)
        guard rest == 0, (side - length + twice) % 2 == 0 else { return nil }
        let start = (side - length + twice) / 2
        return start >= 0 && start + length <= side ? (start, length) : nil
    }
}

import Glibc

/// Predicts the number of an encoder's scale at which a picture has a likeness, by its statistics and some products of
/// them.
enum LikenessModel {
    /// Raise it with every change that gives other numbers. Part of variants' keys and entity tags.
    static let version = 2

    /// The usual change of a picture's score with ``coarseness(of:as:)``.
    static let usualSlope = -15.0

    /// Maximum distance of a statistic from its usual mean, in standard deviations.
    private static let limit: Float = 3

    /// The numbers that the model may choose.
    static func numbers(of format: OutputFormat) -> ClosedRange<Int> {
        switch format {
        case .jpeg: 35...95
        case .webp: 25...95
        case .avif: 35...94
        case .jxl: 25...95
        case .png: 100...100
        }
    }

    /// The logarithm of the encoder's quantiser, up to constants: scores are nearly linear in it.
    static func coarseness(of number: Int, as format: OutputFormat) -> Double {
        switch format {
        // libjpeg's factor of its tables.
        case .jpeg: log(number < 50 ? 50 / Double(number) : 2 - Double(number) / 50)
        case .webp: log(106 - Double(number))
        case .avif: AVIFQuantizer.value(quality: number) / 18
        case .jxl: log(Double(JXLDistance(quality: number).rawValue))
        case .png: 0
        }
    }

    /// The number in ``numbers(of:)`` with the nearest coarseness.
    static func number(coarseness: Double, as format: OutputFormat) -> Int {
        let range = self.numbers(of: format)
        let distance = { (number: Int) in abs(self.coarseness(of: number, as: format) - coarseness) }
        return range.min { distance($0) < distance($1) } ?? range.upperBound
    }

    /// - Parameter planes: As the encoder takes them, with chroma of half the size; for JPEG XL, of full range.
    /// - Returns: A number in ``numbers(of:)``.
    static func number(for likeness: Likeness, of planes: [Plane], as format: OutputFormat) -> Int {
        let (factors, products) = self.coefficients(likeness, format)
        guard factors.count > 1 else { return self.number(coarseness: Double(factors[0]), as: format) }
        let statistics = PictureStatistics(planes, hasLimitedRange: format.hasLimitedRange).values
        // Limited, because the model knows no pictures beyond.
        var terms = statistics.indices.map { index in
            min(max((statistics[index] - self.center[index]) / self.scale[index], -self.limit), self.limit)
        }
        for (first, second) in products { terms.append(terms[first] * terms[second]) }
        let coarseness = zip(factors.dropFirst(), terms).reduce(factors[0]) { $0 + $1.0 * $1.1 }
        return self.number(coarseness: Double(coarseness), as: format)
    }
}

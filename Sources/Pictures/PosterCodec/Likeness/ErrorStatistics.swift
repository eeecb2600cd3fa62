/// The visibility of the errors that a quantiser would cause in sampled blocks of luma.
///
/// A coefficient below half a step is lost, another one has the error of rounding. As in SSIMULACRA 2, an error is
/// relative to the contrast around it and counts by the lightness that it changes.
struct ErrorStatistics {
    private typealias Row = BlockSpectrum.Row

    /// The relation of errors to contrast, as in SSIMULACRA 2.
    private static let contrastFloor: Float = 0.0009
    /// Keeps logarithms finite.
    private static let floor: Float = 1e-4

    private let noise, limit: Row
    /// The sums over blocks of the relative error, of its fourth power, of the relative error of low frequencies, of
    /// the lost amplitude, and of the share of coefficients that are not lost.
    private var relative: Float = 0
    private var fourth: Float = 0
    private var low: Float = 0
    private var lost: Float = 0
    private var kept: Float = 0
    private var count: Float = 0

    /// - Parameter step: Of the quantiser, in levels of an orthonormal transform.
    init(step: Float) {
        self.noise = Row(repeating: step * step / 12)
        self.limit = Row(repeating: step * step / 4)
    }

    /// - Parameters:
    ///   - bands: See ``BlockSpectrum/bands``.
    ///   - slope: The change of perceived lightness a level.
    mutating func add(_ block: BlockSpectrum, _ bands: (inner: Float, middle: Float, all: Float), slope: Float) {
        var (error, lowError, lost, kept) = (Row.zero, Row.zero, Row.zero, Row.zero)
        for y in 0..<8 {
            let power = block.rows[y]
            let isLost = power .< self.limit
            let here = self.noise.replacing(with: power, where: isLost)
            error += here
            if y < 4 { lowError += here }
            lost += power.replacing(with: 0, where: .!isLost)
            kept += Row.one.replacing(with: 0, where: isLost)
        }
        // The mean is never lost.
        let mean = self.noise[0]
        let square = slope * slope / 64
        let relative = square * (error.sum() + mean) / (2 * square * bands.all + Self.contrastFloor)
        let lowSum = lowError.replacing(with: 0, where: .!BlockSpectrum.lowestFour).sum()
        self.count += 1
        self.relative += relative
        self.fourth += relative * relative * relative * relative
        self.low += square * (lowSum + mean) / (2 * square * bands.middle + Self.contrastFloor)
        self.lost += slope * (lost.sum() / 64).squareRoot()
        self.kept += kept.sum() / 63
    }

    /// The logarithms of the means, in the order of the sums.
    var values: [Float] {
        let count = max(1, self.count)
        let fourth = (self.fourth / count).squareRoot().squareRoot()
        return [self.relative / count, fourth, self.low / count, self.lost / count, self.kept / count]
            .map { ($0 + Self.floor).portableLogarithm }
    }
}

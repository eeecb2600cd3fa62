/// Chooses numbers of an encoder's scale, at most three, by the measured likeness of the results at the previous ones.
///
/// The best result is the least alike of those at most ``tolerance`` below the target, else the most alike.
struct LikenessSearch {
    static let mostEncodings = 3
    /// How far the best result may be below the target, on the scale of ``Likeness/score``.
    static let tolerance = 0.5
    /// The search ends with a result at most this far above the target.
    static let surplus = 1.0

    private let format: OutputFormat
    private let target: Double
    private var results: [(coarseness: Double, score: Double)] = []
    private var numbers: Set<Int> = []
    private var best = -Double.infinity
    /// The number to encode at; `nil` at the end.
    private(set) var next: Int?

    /// - Parameter number: The first one.
    init(from number: Int, to likeness: Likeness, as format: OutputFormat) {
        (self.format, self.target, self.next) = (format, Double(likeness.score), number)
    }

    /// Takes the score of the result at ``next``, which then is another number.
    ///
    /// - Returns: Whether the result is the best so far.
    mutating func take(_ score: Double) -> Bool {
        guard let number = self.next else { return false }
        let least = self.target - Self.tolerance
        let isBest = self.best < least ? score > self.best : (least..<self.best).contains(score)
        if isBest { self.best = score }
        self.numbers.insert(number)
        self.results.append((LikenessModel.coarseness(of: number, as: self.format), score))
        let isDone = (least...self.target + Self.surplus).contains(score) || self.numbers.count == Self.mostEncodings
        let following = LikenessModel.number(coarseness: self.nextCoarseness(), as: self.format)
        self.next = isDone || self.numbers.contains(following) ? nil : following
        return isBest
    }

    /// By the line through the two latest results, or with the usual slope through the only one.
    private func nextCoarseness() -> Double {
        let last = self.results[self.results.count - 1]
        var slope = LikenessModel.usualSlope
        if let previous = self.results.dropLast().last {
            let measured = (last.score - previous.score) / (last.coarseness - previous.coarseness)
            // Outside of this range, the likeness hardly depends on the encoder between the two.
            if (3 * slope...slope / 3).contains(measured) { slope = measured }
        }
        return last.coarseness + (self.target - last.score) / slope
    }
}

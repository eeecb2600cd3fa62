/// A score as five stars.
public struct StarRating: Hashable, Sendable {
    /// Such as `★★★★☆`.
    public let text: String

    /// - Parameter score: From 0 to 5, rounded to whole stars; what is outside is taken for the nearest within.
    public init(outOfFive score: Double) {
        // What is no number is not above 0.
        let full = score > 0 ? Int(min(score, 5).rounded()) : 0
        self.text = String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
    }
}

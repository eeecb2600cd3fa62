/// A score as five stars.
public struct Stars: Hashable, Sendable {
    /// Such as `★★★★☆`.
    public let text: String

    /// - Parameter score: From 0 to 5, rounded to whole stars; what is outside is taken for the nearest within.
    public init(outOfFive score: Double) {
        let full = Int(min(max(score, 0), 5).rounded())
        self.text = String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
    }
}

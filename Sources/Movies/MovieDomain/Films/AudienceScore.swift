/// What those think of it who have said so.
public struct AudienceScore: Hashable, Sendable {
    /// From 0 to 10.
    public let average: Double
    /// How many have.
    public let count: Int

    /// - Returns: nil without anybody, or with an average that is none.
    public init?(average: Double, count: Int) {
        guard count > 0, (0...10).contains(average) else { return nil }
        self.average = average
        self.count = count
    }
}

/// How good somebody finds a film: 0.5 to 10, in halves.
public struct Rating: Hashable, Sendable {
    /// What is accepted, for people.
    public static let range = "from 0.5 to 10 in steps of 0.5"

    /// In halves, 1 to 20.
    public let halves: Int

    /// - Returns: nil for what is none.
    public init?(_ value: Double) {
        guard value >= 0.5, value <= 10, let halves = Int(exactly: value * 2) else { return nil }
        self.halves = halves
    }

    /// 0.5 to 10.
    public var value: Double { Double(self.halves) / 2 }
}

/// A film and what somebody rated it.
public struct RatedMovie: Hashable, Sendable {
    /// As it was known then.
    public let movie: MovieSummary
    /// The latest.
    public let rating: Rating

    /// A film and what somebody rated it.
    public init(movie: MovieSummary, rating: Rating) {
        self.movie = movie
        self.rating = rating
    }
}

/// A film that somebody likes, as it was known when they said so.
public struct Favourite: Hashable, Sendable {
    /// As it was known then.
    public let movie: MovieSummary
    /// When they said so.
    public let addedAt: Instant

    /// A film that somebody likes.
    public init(movie: MovieSummary, addedAt: Instant) {
        self.movie = movie
        self.addedAt = addedAt
    }
}

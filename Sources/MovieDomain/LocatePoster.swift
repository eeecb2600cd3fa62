/// Finds out where a film's original poster is.
public struct LocatePoster<Movies: MovieRepository>: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        case unknownMovie(Movie.ID)
        case noPoster(Movie.ID)
    }

    private let movies: Movies

    /// Looks in `movies`.
    public init(movies: Movies) {
        self.movies = movies
    }

    /// - Throws: ``Failure``, or what the repository throws.
    public func callAsFunction(_ id: Movie.ID) async throws -> PosterReference {
        guard let movie = try await self.movies.movie(id) else { throw Failure.unknownMovie(id) }
        guard let poster = movie.poster else { throw Failure.noPoster(id) }
        return poster
    }
}

/// The pictures of a source's films, as its repository tells them.
public struct FilmPictures: OwnPosterRepository {
    /// Tells a poster without looking the whole film up; nil when it cannot.
    public typealias Shortcut = @Sendable (MovieID) async throws -> PosterReference?

    private let movies: any MovieRepository
    private let shortcut: Shortcut?

    /// - Parameter shortcut: Asked before the repository; it throws what that does.
    public init(_ movies: any MovieRepository, shortcut: Shortcut? = nil) {
        self.movies = movies
        self.shortcut = shortcut
    }

    /// The repository's.
    public var source: MovieSource { self.movies.source }

    /// The film's poster.
    public func ownPoster(of id: MovieID) async throws -> OwnPoster {
        if let poster = try await self.shortcut?(id) { return .known(poster) }
        guard let movie = try await self.movie(id) else { return .unknown }
        return movie.summary.poster.map { .known($0) } ?? .none
    }

    /// Title and original title, year and directors.
    public func film(of id: MovieID) async throws -> PosterlessFilm? {
        guard let movie = try await self.movie(id) else { return nil }
        let summary = movie.summary
        let titles = [summary.title, summary.originalTitle]
        return PosterlessFilm(
            id: id, titles: titles[0] == titles[1] ? [titles[0]] : titles, year: summary.year,
            directors: summary.directors)
    }

    /// The film's.
    public func gallery(of id: MovieID) async throws -> [GalleryPicture]? {
        try await self.movie(id)?.gallery
    }

    /// In Korean: that is what most films without a poster are called where posters are looked for.
    private func movie(_ id: MovieID) async throws -> Movie? {
        try await self.movies.movie(id, language: LanguagePreference([.korean]))
    }
}

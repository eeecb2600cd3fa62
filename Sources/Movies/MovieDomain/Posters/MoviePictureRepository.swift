/// The pictures of a source's films, as its repository tells them.
public struct MoviePictureRepository: SourcePictureRepository {
    /// Tells a poster without looking the whole film up; nil when it cannot.
    public typealias Shortcut = @Sendable (MovieID) async throws -> PosterReference?

    private let movies: any MovieRepository
    private let shortcut: Shortcut?
    private let renewal: Shortcut?

    /// - Parameters:
    ///   - shortcut: Asked before the repository; it throws what that does.
    ///   - renewal: Asked when the poster that was told is not there any more: past whatever is remembered.
    public init(_ movies: any MovieRepository, shortcut: Shortcut? = nil, renewal: Shortcut? = nil) {
        self.movies = movies
        self.shortcut = shortcut
        self.renewal = renewal
    }

    /// The repository's.
    public var source: MovieSource { self.movies.source }

    /// The film's poster.
    public func sourcePoster(of id: MovieID) async throws -> SourcePoster {
        if let poster = try await self.shortcut?(id) { return .known(poster) }
        guard let movie = try await self.movie(id) else { return .unknown }
        return movie.summary.poster.map { .known($0) } ?? .none
    }

    /// As the renewal tells, else the film's.
    public func refreshedPoster(of id: MovieID) async throws -> PosterReference? {
        if let renewal = self.renewal { return try await renewal(id) }
        return try await self.movie(id)?.summary.poster
    }

    /// Title and original title, year and directors.
    public func searchTerms(for id: MovieID) async throws -> PosterSearchTerms? {
        guard let movie = try await self.movie(id) else { return nil }
        let summary = movie.summary
        let titles = [summary.title, summary.originalTitle]
        return PosterSearchTerms(
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

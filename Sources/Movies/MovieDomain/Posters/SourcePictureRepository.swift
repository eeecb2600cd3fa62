/// Tells which pictures a source itself has of what it names, without all the rest.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol SourcePictureRepository: Sendable {
    /// Whose films or apps they are: it is only asked for those.
    var source: MovieSource { get }

    /// Its poster of a film, or its icon of an app.
    func sourcePoster(of id: MovieID) async throws -> SourcePoster

    /// Its poster of a film when the one that it told of is not there any more; nil when it has none.
    func refreshedPoster(of id: MovieID) async throws -> PosterReference?

    /// What another source's poster of it can be found by; nil when there is no such film, or nobody else is to be asked.
    func searchTerms(for id: MovieID) async throws -> PosterSearchTerms?

    /// The pictures beside its poster, in order; nil when it knows no such film or app.
    func gallery(of id: MovieID) async throws -> [GalleryPicture]?
}

extension SourcePictureRepository {
    /// As told before: for a source that knows nothing newer.
    public func refreshedPoster(of id: MovieID) async throws -> PosterReference? {
        if case .known(let poster) = try await self.sourcePoster(of: id) { return poster }
        return nil
    }
}

/// What a source has to show of something.
public enum SourcePoster: Hashable, Sendable {
    case known(PosterReference)
    /// It knows what it is, but has no poster of it.
    case none
    /// It knows nothing of that id.
    case unknown
}

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

/// Icons and screenshots of a store's apps.
public struct AppPictureRepository: SourcePictureRepository {
    private let store: any StoreRepository

    /// Pictures of the apps of `store`.
    public init(_ store: any StoreRepository) {
        self.store = store
    }

    /// The store's.
    public var source: MovieSource { self.store.source }

    /// The app's icon.
    public func sourcePoster(of id: MovieID) async throws -> SourcePoster {
        guard let app = try await self.app(id) else { return .unknown }
        return app.icon.map { .known($0) } ?? .none
    }

    /// nil: nobody else has an app's icon.
    public func searchTerms(for id: MovieID) async throws -> PosterSearchTerms? { nil }

    /// The app's screenshots.
    public func gallery(of id: MovieID) async throws -> [GalleryPicture]? {
        try await self.app(id)?.screenshots
    }

    private func app(_ id: MovieID) async throws -> StoreApp? {
        guard let id = StoreAppID(source: id.source, key: id.key) else { return nil }
        return try await self.store.app(id)
    }
}

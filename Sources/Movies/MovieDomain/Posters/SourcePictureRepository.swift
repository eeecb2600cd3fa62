/// A source's pictures of its own films or apps.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol SourcePictureRepository: Sendable {
    /// The source of the films or apps; only ids of this source may be passed.
    var source: MovieSource { get }

    /// The poster of a film, or the icon of an app.
    func sourcePoster(of id: MovieID) async throws -> SourcePoster

    /// The current poster of a film, after the known one was removed from its origin; `nil` if there is none.
    func refreshedPoster(of id: MovieID) async throws -> PosterReference?

    /// The selected poster of a film; `nil` if the film is unknown or has none, and if the source has at most one per
    /// film.
    func poster(of id: MovieID, as choice: PosterChoice) async throws -> PosterReference?

    /// Like ``poster(of:as:)``, after the known one was removed from its origin.
    func refreshedPoster(of id: MovieID, as choice: PosterChoice) async throws -> PosterReference?

    /// The terms to search other sources with; `nil` if the film is unknown, or no other source should be searched.
    func searchTerms(for id: MovieID) async throws -> PosterSearchTerms?

    /// The terms of a recent list, for a source without posters; `nil` if there are none. Without I/O.
    func listedTerms(for id: MovieID) -> PosterSearchTerms?

    /// The pictures other than the poster, in order; `nil` if the film or app is unknown.
    func gallery(of id: MovieID) async throws -> [GalleryPicture]?
}

extension SourcePictureRepository {
    /// Returns the known poster, for sources that cannot refresh it.
    package func refreshedPoster(of id: MovieID) async throws -> PosterReference? {
        if case .known(let poster) = try await self.sourcePoster(of: id) { return poster }
        return nil
    }

    package func poster(of id: MovieID, as choice: PosterChoice) async throws -> PosterReference? { nil }

    package func refreshedPoster(of id: MovieID, as choice: PosterChoice) async throws -> PosterReference? { nil }

    package func listedTerms(for id: MovieID) -> PosterSearchTerms? { nil }
}

/// A source's poster of a film, or icon of an app.
package enum SourcePoster: Hashable, Sendable {
    case known(PosterReference)
    /// The film or app exists, but has no poster.
    case none
    case unknown
}

/// The pictures of a source's films, from its film repository.
package struct MoviePictureRepository: SourcePictureRepository {
    /// Returns a poster without loading the whole film; `nil` if that is not possible.
    package typealias Shortcut = @Sendable (MovieID) async throws -> PosterReference?

    /// Returns the selected poster; `nil` if that is not possible.
    package typealias Choose = @Sendable (MovieID, PosterChoice) async throws -> PosterReference?

    /// Returns the terms of a recent list, if any.
    package typealias Listed = @Sendable (MovieID) -> PosterSearchTerms?

    private let movies: any MovieRepository
    private let shortcut: Shortcut?
    private let renewal: Shortcut?
    private let choose: Choose?
    private let renewChoice: Choose?
    private let listed: Listed?

    /// - Parameters:
    ///   - shortcut: Queried before the repository; throws the same errors.
    ///   - renewal: Queried, bypassing caches, after the known poster was removed from its origin.
    ///   - choose: Selects a poster at a source with several per film.
    ///   - renewChoice: Like `choose`, after the known poster was removed from its origin.
    ///   - listed: Returns terms of recent lists, for a source without posters.
    package init(
        _ movies: any MovieRepository, shortcut: Shortcut? = nil, renewal: Shortcut? = nil, choose: Choose? = nil,
        renewChoice: Choose? = nil, listed: Listed? = nil
    ) {
        self.movies = movies
        self.shortcut = shortcut
        self.renewal = renewal
        self.choose = choose
        self.renewChoice = renewChoice
        self.listed = listed
    }

    package var source: MovieSource { self.movies.source }

    package func sourcePoster(of id: MovieID) async throws -> SourcePoster {
        // A listed film exists, and its source has no posters.
        if self.listedTerms(for: id) != nil { return .none }
        if let poster = try await self.shortcut?(id) { return .known(poster) }
        guard let movie = try await self.movie(id) else { return .unknown }
        return movie.summary.poster.map { .known($0) } ?? .none
    }

    /// The result of `renewal` if given, else the film's poster.
    package func refreshedPoster(of id: MovieID) async throws -> PosterReference? {
        if let renewal = self.renewal { return try await renewal(id) }
        return try await self.movie(id)?.summary.poster
    }

    package func poster(of id: MovieID, as choice: PosterChoice) async throws -> PosterReference? {
        try await self.choose?(id, choice)
    }

    package func refreshedPoster(of id: MovieID, as choice: PosterChoice) async throws -> PosterReference? {
        try await self.renewChoice?(id, choice)
    }

    /// Titles and year of the film.
    package func searchTerms(for id: MovieID) async throws -> PosterSearchTerms? {
        guard let movie = try await self.movie(id) else { return nil }
        let summary = movie.summary
        let titles = [summary.title, summary.originalTitle]
        return PosterSearchTerms(id: id, titles: titles[0] == titles[1] ? [titles[0]] : titles, year: summary.year)
    }

    package func listedTerms(for id: MovieID) -> PosterSearchTerms? { self.listed?(id) }

    package func gallery(of id: MovieID) async throws -> [GalleryPicture]? {
        try await self.movie(id)?.gallery
    }

    /// The film in Korean: most films without a poster have Korean titles in the searched sources.
    private func movie(_ id: MovieID) async throws -> Movie? {
        try await self.movies.movie(id, language: LanguagePreference([.korean]))
    }
}

/// Icons and screenshots of a store's apps.
package struct AppPictureRepository: SourcePictureRepository {
    private let store: any AppStoreRepository

    package init(_ store: any AppStoreRepository) {
        self.store = store
    }

    package var source: MovieSource { self.store.source }

    package func sourcePoster(of id: MovieID) async throws -> SourcePoster {
        guard let app = try await self.app(id) else { return .unknown }
        return app.icon.map { .known($0) } ?? .none
    }

    /// Returns `nil`: no other source has icons of apps.
    package func searchTerms(for id: MovieID) async throws -> PosterSearchTerms? { nil }

    package func gallery(of id: MovieID) async throws -> [GalleryPicture]? {
        try await self.app(id)?.screenshots
    }

    private func app(_ id: MovieID) async throws -> StoreApp? {
        guard let id = StoreAppID(source: id.source, key: id.key) else { return nil }
        return try await self.store.app(id, language: LanguagePreference())
    }
}

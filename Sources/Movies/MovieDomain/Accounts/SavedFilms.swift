/// A film of a user's list.
package struct SavedFilm: Hashable, Sendable {
    package var movie: MovieSummary
    /// `nil` for a film of a list at a source, which does not report the date.
    package let addedAt: Instant?
    /// The language in which the summary was requested; `nil` if unknown.
    package let language: Language?

    init(_ movie: MovieSummary, in language: Language) {
        self.movie = movie
        self.addedAt = nil
        self.language = language
    }

    init(_ stored: Favourite) {
        self.movie = stored.movie
        self.addedAt = stored.addedAt
        self.language = stored.language
    }
}

/// A user's list of films: favourites, or a watchlist.
///
/// If the account's source has watchlists, films that the source has are stored only there. Films of other sources
/// are stored here, and so are films of a device that are not yet moved to the source (``moveToSource(for:)``).
package struct SavedFilms: Sendable {
    /// Runs an operation in the background, unless one is already running for the owner.
    package typealias Starter = @Sendable (Owner, @escaping @Sendable () async -> Void) -> Void

    let films: any FavouriteRepository
    /// `nil` for a list that is only stored here.
    let accounts: AuthenticatedAccounts?
    let start: Starter
    private let descriptions: FavouriteFilms
    private let add: AddFavourite
    let identities: FilmIdentities?
    let localise: LocaliseFavourites

    /// - Parameters:
    ///   - films: The films that are stored here.
    ///   - identities: Finds counterparts of films at other sources; `nil` disables it.
    ///   - accounts: The accounts that may have a watchlist at their source; `nil` for a list that is only stored here.
    ///   - start: Runs moves to the source.
    package init(
        _ films: any FavouriteRepository, sources: MovieRepositories, identities: FilmIdentities? = nil,
        accounts: AuthenticatedAccounts? = nil, limit: Int = AddFavourite.defaultLimit,
        now: @escaping @Sendable () -> Instant,
        start: @escaping Starter = { _, _ in }
    ) {
        self.films = films
        self.accounts = accounts
        self.start = start
        self.identities = identities
        self.descriptions = FavouriteFilms(sources: sources, identities: identities)
        self.add = AddFavourite(
            sources: sources, identities: identities, favourites: films, limit: limit, now: now)
        self.localise = LocaliseFavourites(sources: sources, identities: identities)
    }

    /// A page of ``Favourite/pageSize``: the films that are stored here, then those at the source, each the latest
    /// first.
    ///
    /// Films of both lists are omitted from the source's part but still counted, so that such a page is shorter.
    /// - Throws: ``SourceFailure``, ``AccountFailure``, ``StorageFailure``, `CancellationError`.
    package func page(
        _ number: Int, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> Page<SavedFilm> {
        let owner = holder.favouritesOwner
        let stored = try await self.films.favourites(of: owner, page: number, size: Favourite.pageSize)
        async let localised = self.localise(stored.results, language: language)
        guard let accounts = self.accounts, accounts.hasWatchlist(holder) else {
            return stored.replacing(try await localised.map(SavedFilm.init))
        }
        let window = SourceWindow(page: stored.number, behind: stored.totalResults)
        async let next = self.nextPage(of: window, language, holder, accounts)
        let first = try await accounts.watchlist(page: window.firstPage, language: language, for: holder)
        let others = window.rows(first.results, try await next)
        // A stored film may have been moved to the source meanwhile.
        let known = try await self.films.favouriteIDs(among: others.map(\.id), of: owner)
            .union(stored.results.map(\.movie.id))
        let results =
            try await localised.map(SavedFilm.init)
            + others.filter { !known.contains($0.id) }.map { SavedFilm($0, in: language.first) }
        if stored.totalResults > 0 { self.moveToSource(for: holder) }
        return window.page(results, stored: stored.totalResults, others: first)
    }

    /// The film, as stored or as its source describes it; `nil` if it is not on the list.
    ///
    /// - Throws: ``SourceFailure``, ``AccountFailure``, ``StorageFailure``, `CancellationError`.
    package func film(
        _ id: MovieID, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> SavedFilm? {
        if let stored = try await self.films.favourite(id, of: holder.favouritesOwner) {
            return SavedFilm(try await self.localise([stored], language: language)[0])
        }
        guard let accounts = self.accounts, let sourceID = try await accounts.watchlistID(of: id, for: holder),
            try await accounts.isOnWatchlist(sourceID, for: holder)
        else { return nil }
        return try await self.descriptions.summary(of: id, language: language).map { SavedFilm($0, in: language.first) }
    }

    /// The film as its source describes it, on the list or not; `nil` if the source does not have it.
    ///
    /// - Throws: ``SourceFailure``, `CancellationError`.
    package func description(of id: MovieID, language: LanguagePreference) async throws -> MovieSummary? {
        try await self.descriptions.summary(of: id, language: language)
    }

    /// Adds a film, at the source if it has the film; a film that the source refuses is not stored here. Idempotent.
    ///
    /// - Parameter addedAt: The time of the addition, of a film that was removed by mistake; `nil` for now, and not
    ///   later. Sources use the time of the request.
    /// - Returns: The film, and whether it is new.
    /// - Throws: ``AddFavourite/Failure``, ``SourceFailure``, ``AccountFailure``, ``StorageFailure``, `CancellationError`.
    package func put(
        _ id: MovieID, language: LanguagePreference, addedAt: Instant? = nil, for holder: AuthenticatedSession
    ) async throws -> (film: SavedFilm, isNew: Bool) {
        let owner = holder.favouritesOwner
        guard let accounts = self.accounts, let sourceID = try await accounts.watchlistID(of: id, for: holder) else {
            let (stored, isNew) = try await self.add(id, of: owner, language: language, addedAt: addedAt)
            return (SavedFilm(stored), isNew)
        }
        guard let movie = try await self.descriptions.summary(of: id, language: language),
            case .done(let isNew) = try await accounts.setOnWatchlist(sourceID, true, for: holder)
        else { throw AddFavourite.Failure.unknownMovie(id) }
        let wasStored = try await !self.films.favouriteIDs(among: [id], of: owner).isEmpty
        if wasStored { try await self.films.remove(id, of: owner) }
        return (SavedFilm(movie, in: language.first), isNew && !wasStored)
    }

    /// Removes a film, at the source first. Idempotent.
    ///
    /// - Throws: ``SourceFailure``, ``AccountFailure``, ``StorageFailure``, `CancellationError`.
    package func remove(_ id: MovieID, for holder: AuthenticatedSession) async throws {
        if let accounts = self.accounts, let sourceID = try await accounts.watchlistID(of: id, for: holder) {
            _ = try await accounts.setOnWatchlist(sourceID, false, for: holder)
        }
        try await self.films.remove(id, of: holder.favouritesOwner)
    }

    private func nextPage(
        of window: SourceWindow, _ language: LanguagePreference, _ holder: AuthenticatedSession,
        _ accounts: AuthenticatedAccounts
    ) async throws -> [MovieSummary] {
        guard window.needsNextPage else { return [] }
        return try await accounts.watchlist(page: window.firstPage + 1, language: language, for: holder).results
    }
}

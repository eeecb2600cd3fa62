/// A favourite film, with its source's summary at the time of adding.
package struct Favourite: Hashable, Sendable {
    package static let pageSize = 20
    /// The earliest time of an addition that imports and forms accept: 2000-01-01.
    package static let earliestAddition = Instant(secondsSince1970: 946_684_800)

    package var movie: MovieSummary
    package let addedAt: Instant
    /// The language in which the summary was requested; `nil` if unknown.
    package let language: Language?

    package init(movie: MovieSummary, addedAt: Instant, language: Language? = nil) {
        self.movie = movie
        self.addedAt = addedAt
        self.language = language
    }
}

/// Stores favourites together with the films' summaries.
///
/// Every function throws ``StorageFailure`` or `CancellationError`.
package protocol FavouriteRepository: Sendable {
    /// A page of favourites, the latest first.
    ///
    /// - Parameters:
    ///   - page: From 1; pages after the last are empty.
    func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite>

    /// - Returns: `nil` if the film is not a favourite.
    func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite?

    /// Adds a favourite, or replaces the summary of an existing one.
    /// - Returns: Whether it is new; `nil` if the owner already has `limit` others.
    func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool?

    /// Removes a favourite. Idempotent.
    func remove(_ id: MovieID, of owner: Owner) async throws

    /// Moves favourites to another owner, the latest first, until the other has `limit`; the rest stay.
    ///
    /// A film of both owners keeps the earlier day and the newer summary. Idempotent.
    /// - Returns: The number of favourites that the other owner gained.
    func move(from owner: Owner, to other: Owner, limit: Int) async throws -> Int

    /// The favourites among `ids`.
    func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID>
}

/// Adds a film to the favourites, with its source's current summary.
package struct AddFavourite: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        case unknownMovie(MovieID)
        /// The owner already has this many other favourites.
        case tooMany(limit: Int)
    }

    /// The default limit of favourites per owner.
    package static let defaultLimit = 1000

    private let films: FavouriteFilms
    private let favourites: any FavouriteRepository
    private let limit: Int
    private let now: @Sendable () -> Instant

    /// - Parameter identities: Finds counterparts of films at other sources; `nil` disables it.
    package init(
        sources: MovieRepositories, identities: FilmIdentities? = nil, favourites: any FavouriteRepository,
        limit: Int = AddFavourite.defaultLimit, now: @escaping @Sendable () -> Instant
    ) {
        self.films = FavouriteFilms(sources: sources, identities: identities)
        self.favourites = favourites
        self.limit = limit
        self.now = now
    }

    /// Idempotent. An existing favourite keeps its stored summary if the source fails or has removed the film.
    ///
    /// - Parameter addedAt: The time of the addition, of a favourite that was removed by mistake; `nil` for now, and
    ///   not later.
    /// - Returns: The stored favourite, and whether it is new.
    /// - Throws: ``Failure``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    package func callAsFunction(
        _ id: MovieID, of owner: Owner, language: LanguagePreference, addedAt: Instant? = nil
    ) async throws -> (favourite: Favourite, isNew: Bool) {
        let known = try await self.favourites.favourite(id, of: owner)
        let movie: MovieSummary
        do {
            guard let found = try await self.films.summary(of: id, language: language) else {
                if let known { return (known, false) }
                throw Failure.unknownMovie(id)
            }
            movie = found
        } catch let failure as SourceFailure {
            if let known { return (known, false) }
            throw failure
        }
        let now = self.now()
        let favourite = Favourite(
            movie: movie, addedAt: known?.addedAt ?? min(addedAt ?? now, now), language: language.first)
        guard let isNew = try await self.favourites.put(favourite, of: owner, limit: self.limit) else {
            throw Failure.tooMany(limit: self.limit)
        }
        return (favourite, isNew)
    }
}

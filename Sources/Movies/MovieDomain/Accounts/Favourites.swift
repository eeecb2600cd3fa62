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

/// Keeps favourites with what they looked like.
///
/// Every function throws ``StorageFailure``, or `CancellationError`.
public protocol FavouriteRepository: Sendable {
    /// The latest first.
    ///
    /// - Parameters:
    ///   - page: From 1; behind the last there is an empty one.
    ///   - size: Of a page.
    func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite>

    /// nil when it is none.
    func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite?

    /// Of no effect when it is one already, but that what it looks like is renewed.
    ///
    /// - Returns: Whether it is new; nil when the owner has `limit` others already.
    func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool?

    /// Of no effect when it is none.
    func remove(_ id: MovieID, of owner: Owner) async throws

    /// Those of `ids` that are favourites.
    func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID>
}

/// What somebody likes, as it was known when they said so: no source is asked.
public struct ShowFavourites: Sendable {
    /// Of a page.
    public static let pageSize = 20

    private let favourites: any FavouriteRepository

    /// - Parameter favourites: Keeps them.
    public init(favourites: any FavouriteRepository) {
        self.favourites = favourites
    }

    /// The latest first.
    ///
    /// - Parameter page: From 1; behind the last there is an empty one.
    /// - Throws: ``StorageFailure``, `CancellationError`.
    public func callAsFunction(page: Int, of owner: Owner) async throws -> Page<Favourite> {
        try await self.favourites.favourites(of: owner, page: page, size: Self.pageSize)
    }

    /// A single one; nil for a film that is none.
    ///
    /// - Throws: ``StorageFailure``, `CancellationError`.
    public func callAsFunction(_ id: MovieID, of owner: Owner) async throws -> Favourite? {
        try await self.favourites.favourite(id, of: owner)
    }
}

/// Makes a film a favourite, with what it looks like now.
public struct AddFavourite: Sendable {
    /// Why it is none.
    public enum Failure: Error, Hashable, Sendable {
        /// Its source knows no such film.
        case unknownMovie(MovieID)
        /// The owner has so many others already.
        case tooMany(limit: Int)
    }

    /// The most favourites of one owner, unless another limit is given.
    public static let defaultLimit = 1000

    private let sources: MovieRepositories
    private let favourites: any FavouriteRepository
    private let limit: Int
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - sources: Tell what films look like.
    ///   - favourites: Keeps them.
    ///   - limit: The most of one owner.
    ///   - now: The time of day.
    public init(
        sources: MovieRepositories, favourites: any FavouriteRepository, limit: Int = AddFavourite.defaultLimit,
        now: @escaping @Sendable () -> Instant
    ) {
        self.sources = sources
        self.favourites = favourites
        self.limit = limit
        self.now = now
    }

    /// Repeated, it is the same as once. What is a favourite already stays one with what it looked like when its source fails, or does not
    /// know it any more.
    ///
    /// - Returns: What is kept, and whether it is new.
    /// - Throws: ``Failure``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    public func callAsFunction(
        _ id: MovieID, of owner: Owner, language: LanguagePreference
    ) async throws -> (favourite: Favourite, isNew: Bool) {
        let known = try await self.favourites.favourite(id, of: owner)
        let movie: MovieSummary
        do {
            let repository = try self.sources.repository(of: id.source)
            guard let found = try await repository.movie(id, language: language) else {
                if let known { return (known, false) }
                throw Failure.unknownMovie(id)
            }
            movie = found.summary
        } catch let failure as SourceFailure {
            if let known { return (known, false) }
            throw failure
        }
        let favourite = Favourite(movie: movie, addedAt: known?.addedAt ?? self.now())
        guard let isNew = try await self.favourites.put(favourite, of: owner, limit: self.limit) else {
            throw Failure.tooMany(limit: self.limit)
        }
        return (favourite, isNew)
    }
}

/// Makes a film a favourite no longer.
public struct RemoveFavourite: Sendable {
    private let favourites: any FavouriteRepository

    /// - Parameter favourites: Keeps them.
    public init(favourites: any FavouriteRepository) {
        self.favourites = favourites
    }

    /// Of no effect for a film that is none; no source is asked.
    ///
    /// - Throws: ``StorageFailure``, `CancellationError`.
    public func callAsFunction(_ id: MovieID, of owner: Owner) async throws {
        try await self.favourites.remove(id, of: owner)
    }
}

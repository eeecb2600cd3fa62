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

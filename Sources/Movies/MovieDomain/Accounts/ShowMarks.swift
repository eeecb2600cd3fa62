/// A user's marks of a film: favourite, watchlist and rating.
package struct Marks: Hashable, Sendable {
    /// A user's rating of a film, if it could be read.
    package enum Rated: Hashable, Sendable {
        case unknown
        case none
        case rating(Rating)
    }

    /// The marks of a client without a session.
    package static let none = Marks(isFavourite: false, isOnWatchlist: false, rated: .none)
    /// The marks while none can be read.
    package static let unknown = Marks(isFavourite: nil, isOnWatchlist: nil, rated: .unknown)

    /// `nil` if unknown.
    package var isFavourite: Bool?
    /// `nil` if unknown.
    package var isOnWatchlist: Bool?
    package var rated: Rated

    package init(isFavourite: Bool?, isOnWatchlist: Bool?, rated: Rated) {
        self.isFavourite = isFavourite
        self.isOnWatchlist = isOnWatchlist
        self.rated = rated
    }
}

/// Returns a user's marks of films. Does not request the films themselves: unknown films have no marks.
package struct ShowMarks: Sendable {
    private let favourites: any FavouriteRepository
    private let watchlist: any FavouriteRepository
    private let accounts: AuthenticatedAccounts

    /// - Parameter watchlist: The films that are stored here, without the watchlist at the accounts' source.
    package init(
        favourites: any FavouriteRepository, watchlist: any FavouriteRepository, accounts: AuthenticatedAccounts
    ) {
        self.favourites = favourites
        self.watchlist = watchlist
        self.accounts = accounts
    }

    /// Whether the session's marks require requests to its source, which may take long.
    package func asksSource(for session: AuthenticatedSession) -> Bool { session.session.upstream != nil }

    /// If the repository or the source fails, its marks are unknown: films with fewer marks are better than an error.
    /// Devices have no ratings.
    ///
    /// - Returns: The marks of all `ids`.
    /// - Throws: `CancellationError`.
    package func callAsFunction(
        _ ids: [MovieID], for session: AuthenticatedSession
    ) async throws -> [MovieID: Marks] {
        guard !ids.isEmpty else { return [:] }
        let owner = session.favouritesOwner
        let (rated, wanted) = try await self.marksAtSource(ids, for: session)
        let liked = try await self.storedIDs(of: self.favourites, among: ids, owner)
        let stored = try await self.storedIDs(of: self.watchlist, among: ids, owner)
        return Dictionary(
            ids.map { id in
                let rated = rated.map { $0[id].map(Marks.Rated.rating) ?? Marks.Rated.none } ?? .unknown
                let isWanted = Self.isIn(stored, or: wanted, id)
                return (id, Marks(isFavourite: liked?.contains(id), isOnWatchlist: isWanted, rated: rated))
            }
        ) { first, _ in first }
    }

    /// - Returns: `nil` if the film is in neither of the known sets and one set is unknown.
    private static func isIn(_ one: Set<MovieID>?, or other: Set<MovieID>?, _ id: MovieID) -> Bool? {
        if one?.contains(id) == true || other?.contains(id) == true { return true }
        return one == nil || other == nil ? nil : false
    }

    /// - Returns: `nil` if the repository fails, which it logs itself.
    private func storedIDs(
        of list: any FavouriteRepository, among ids: [MovieID], _ owner: Owner
    ) async throws -> Set<MovieID>? {
        do {
            return try await list.favouriteIDs(among: ids, of: owner)
        } catch is StorageFailure {
            return nil
        }
    }

    /// The ratings, and the watchlist at the source; concurrently, because each may take long.
    private func marksAtSource(
        _ ids: [MovieID], for session: AuthenticatedSession
    ) async throws -> (rated: [MovieID: Rating]?, wanted: Set<MovieID>?) {
        guard self.asksSource(for: session) else { return ([:], []) }
        guard self.accounts.hasWatchlist(session) else {
            return (try await self.known { try await self.accounts.ratings(of: ids, for: session) }, [])
        }
        async let wanted = self.known { try await self.accounts.watchlistIDs(among: ids, for: session) }
        let rated = try await self.known { try await self.accounts.ratings(of: ids, for: session) }
        return (rated, try await wanted)
    }

    /// - Returns: `nil` if `read` fails.
    private func known<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        do {
            return try await read()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // A failure of the source or the repository, or an expired session: the endpoints of accounts report these.
            return nil
        }
    }
}

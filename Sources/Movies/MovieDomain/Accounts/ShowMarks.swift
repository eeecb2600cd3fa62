/// A user's marks of a film.
package struct Marks: Hashable, Sendable {
    /// What is known of a user's rating.
    package enum Rated: Hashable, Sendable {
        /// It is not known whether there is one.
        case unknown
        /// There is none.
        case none
        case rating(Rating)
    }

    /// Of a client without a session: no film is marked.
    package static let none = Marks(isFavourite: false, isOnWatchlist: false, rated: .none)
    /// While none can be read.
    package static let unknown = Marks(isFavourite: nil, isOnWatchlist: nil, rated: .unknown)

    /// nil when unknown.
    package var isFavourite: Bool?
    /// nil when unknown.
    package var isOnWatchlist: Bool?
    package var rated: Rated

    package init(isFavourite: Bool?, isOnWatchlist: Bool?, rated: Rated) {
        self.isFavourite = isFavourite
        self.isOnWatchlist = isOnWatchlist
        self.rated = rated
    }
}

/// Returns a user's marks of films. Nothing is asked about the films themselves: unknown ones are not marked.
package struct ShowMarks: Sendable {
    private let favourites: any FavouriteRepository
    private let watchlist: any FavouriteRepository
    private let accounts: AuthenticatedAccounts

    /// - Parameter watchlist: The films that are stored here; those at the source are asked for there.
    package init(
        favourites: any FavouriteRepository, watchlist: any FavouriteRepository, accounts: AuthenticatedAccounts
    ) {
        self.favourites = favourites
        self.watchlist = watchlist
        self.accounts = accounts
    }

    /// Whether the source is asked for some of a session's marks, which may take long.
    package func asksSource(for session: AuthenticatedSession) -> Bool { session.session.upstream != nil }

    /// Failures of the library and of the source leave their part unknown: films with fewer marks are better than an error. Devices
    /// have no ratings.
    ///
    /// - Returns: The marks of every one of `ids`.
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

    /// - Returns: nil when it is in neither of the sets that are known, while one of them is not.
    private static func isIn(_ one: Set<MovieID>?, or other: Set<MovieID>?, _ id: MovieID) -> Bool? {
        if one?.contains(id) == true || other?.contains(id) == true { return true }
        return one == nil || other == nil ? nil : false
    }

    /// - Returns: nil while the library cannot be read, which logs that itself.
    private func storedIDs(
        of list: any FavouriteRepository, among ids: [MovieID], _ owner: Owner
    ) async throws -> Set<MovieID>? {
        do {
            return try await list.favouriteIDs(among: ids, of: owner)
        } catch is StorageFailure {
            return nil
        }
    }

    /// The ratings, and the films of the watchlist at the source; both at once, because each may be waited for.
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

    /// - Returns: nil while it is not known.
    private func known<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        do {
            return try await read()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // Of the source, the library, or a session that has ended: the resources of accounts report these.
            return nil
        }
    }
}

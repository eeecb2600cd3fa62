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
    package static let none = Marks(isFavourite: false, rated: .none)
    /// While neither can be read.
    package static let unknown = Marks(isFavourite: nil, rated: .unknown)

    /// nil when unknown.
    package var isFavourite: Bool?
    package var rated: Rated

    package init(isFavourite: Bool?, rated: Rated) {
        self.isFavourite = isFavourite
        self.rated = rated
    }
}

/// Returns a user's marks of films. Nothing is asked about the films themselves: unknown ones are not marked.
package struct ShowMarks: Sendable {
    private let favourites: any FavouriteRepository
    private let accounts: AuthenticatedAccounts

    package init(favourites: any FavouriteRepository, accounts: AuthenticatedAccounts) {
        self.favourites = favourites
        self.accounts = accounts
    }

    /// Failures of the library and of the source leave their part unknown: films with fewer marks are better than an error. Devices
    /// have no ratings.
    ///
    /// - Returns: The marks of every one of `ids`.
    /// - Throws: `CancellationError`.
    package func callAsFunction(
        _ ids: [MovieID], for session: AuthenticatedSession
    ) async throws -> [MovieID: Marks] {
        guard !ids.isEmpty else { return [:] }
        let favourites = try await self.favouriteIDs(among: ids, of: session.favouritesOwner)
        let ratings = session.session.upstream == nil ? [:] : try await self.ratings(of: ids, for: session)
        return Dictionary(
            ids.map { id in
                let rated = ratings.map { $0[id].map(Marks.Rated.rating) ?? Marks.Rated.none } ?? .unknown
                return (id, Marks(isFavourite: favourites?.contains(id), rated: rated))
            }
        ) { first, _ in first }
    }

    /// - Returns: nil while the library cannot be read, which logs that itself.
    private func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID>? {
        do {
            return try await self.favourites.favouriteIDs(among: ids, of: owner)
        } catch is StorageFailure {
            return nil
        }
    }

    /// - Returns: nil while they are not known.
    private func ratings(of ids: [MovieID], for session: AuthenticatedSession) async throws -> [MovieID: Rating]? {
        do {
            return try await self.accounts.ratings(of: ids, for: session)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // Of the source, the library, or a session that has ended: the resources of accounts report these.
            return nil
        }
    }
}

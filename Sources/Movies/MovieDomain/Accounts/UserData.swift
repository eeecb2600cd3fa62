/// All stored data of one user.
///
/// A user is a lasting account, or a device together with the temporary accounts that share its lists: each of their
/// tokens grants access to the same films.
package struct UserData: Hashable, Sendable {
    /// The maximal number of rows of each kind in an export: ten times the limit of a list.
    package static let rowLimit = 10 * AddFavourite.defaultLimit

    /// A film's id, and the title and year of its stored summary.
    package struct Film: Hashable, Sendable {
        package let id: MovieID
        package let title: String?
        package let year: Int?

        package init(id: MovieID, title: String?, year: Int?) {
            self.id = id
            self.title = title
            self.year = year
        }
    }

    package struct ListedFilm: Hashable, Sendable {
        package let film: Film
        package let addedAt: Instant

        package init(film: Film, addedAt: Instant) {
            self.film = film
            self.addedAt = addedAt
        }
    }

    /// A rating of a temporary account.
    package struct RatedFilm: Hashable, Sendable {
        package let film: Film
        package let rating: Rating
        package let ratedAt: Instant

        package init(film: Film, rating: Rating, ratedAt: Instant) {
            self.film = film
            self.rating = rating
            self.ratedAt = ratedAt
        }
    }

    /// A stored session, without its token.
    package struct StoredSession: Hashable, Sendable {
        package let owner: Owner
        package let expiresAt: Instant

        package init(owner: Owner, expiresAt: Instant) {
            self.owner = owner
            self.expiresAt = expiresAt
        }
    }

    /// The requested owner.
    package let owner: Owner
    /// Temporary accounts.
    package var guests: [Account] = []
    /// The latest first.
    package var favourites: [ListedFilm] = []
    /// The latest first, without films of the watchlist at the account's source.
    package var watchlist: [ListedFilm] = []
    /// The latest first; empty if the account's source stores the ratings.
    package var ratings: [RatedFilm] = []
    package var sessions: [StoredSession] = []
    /// Whether no kind has more than ``rowLimit`` rows.
    package var isComplete = true

    package init(owner: Owner) { self.owner = owner }

    package var isEmpty: Bool {
        self.guests.isEmpty && self.favourites.isEmpty && self.watchlist.isEmpty && self.ratings.isEmpty
            && self.sessions.isEmpty
    }
}

/// The numbers of rows that an erasure removed, by kind.
package struct ErasedUserData: Hashable, Sendable {
    package var favourites = 0
    package var watchlist = 0
    package var ratings = 0
    package var guests = 0
    package var sessions = 0
    /// The removed sessions that still have to be ended at their source; empty if their secrets cannot be decrypted.
    package var upstreamSessions: [UpstreamSession] = []

    package init() {}
}

/// Exports and erases all stored data of a user.
///
/// Every function throws ``StorageFailure`` or `CancellationError`.
package protocol UserDataRepository: Sendable {
    /// The data of the owner's user; empty for an unknown owner. Includes expired sessions that are still stored.
    func data(of owner: Owner) async throws -> UserData

    /// Removes the user's lists, ratings, temporary accounts and sessions in one transaction, so that no token is
    /// valid. Idempotent.
    func erase(_ owner: Owner) async throws -> ErasedUserData
}

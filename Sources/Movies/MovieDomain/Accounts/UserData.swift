/// Everything that is stored here about one user.
///
/// A user is an account that lasts; or a device together with the temporary accounts that use its lists, because each of their
/// tokens reads and changes the same films.
package struct UserData: Hashable, Sendable {
    /// The most rows of each kind in an export: ten times an owner's limit of a list.
    package static let rowLimit = 10 * AddFavourite.defaultLimit

    /// A film by its id, with the title and the year of the stored summary.
    package struct Film: Hashable, Sendable {
        package let id: MovieID
        /// nil when unknown.
        package let title: String?
        /// nil when unknown.
        package let year: Int?

        package init(id: MovieID, title: String?, year: Int?) {
            self.id = id
            self.title = title
            self.year = year
        }
    }

    /// A film of the favourites or the watchlist.
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

    /// The owner that was asked for.
    package let owner: Owner
    /// Temporary accounts.
    package var guests: [Account] = []
    /// The latest first.
    package var favourites: [ListedFilm] = []
    /// The latest first, without films that are on the watchlist at the account's source.
    package var watchlist: [ListedFilm] = []
    /// The latest first; empty where the account's source stores the ratings.
    package var ratings: [RatedFilm] = []
    package var sessions: [StoredSession] = []
    /// Whether no kind has more than ``rowLimit`` rows.
    package var isComplete = true

    package init(owner: Owner) { self.owner = owner }

    /// Whether nothing is stored.
    package var isEmpty: Bool {
        self.guests.isEmpty && self.favourites.isEmpty && self.watchlist.isEmpty && self.ratings.isEmpty
            && self.sessions.isEmpty
    }
}

/// The rows that an erasure removed, by kind.
package struct ErasedUserData: Hashable, Sendable {
    package var favourites = 0
    package var watchlist = 0
    package var ratings = 0
    package var guests = 0
    package var sessions = 0
    /// Of the removed sessions those that the accounts' source has to end; none without the key of their secrets.
    package var upstreamSessions: [UpstreamSession] = []

    package init() {}
}

/// Exports and erases all that is stored about a user.
///
/// Every function throws ``StorageFailure`` or `CancellationError`.
package protocol UserDataRepository: Sendable {
    /// The stored data of the user that an owner belongs to; empty for an unknown owner. Expired sessions that are still stored are included.
    func data(of owner: Owner) async throws -> UserData

    /// Removes all of it in one transaction: lists, ratings, temporary accounts and sessions, so that no token of the user is valid. Idempotent.
    func erase(_ owner: Owner) async throws -> ErasedUserData
}

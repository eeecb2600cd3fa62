package import MovieDomain

/// The rows of a user, as returned by both kinds of databases. Snapshots are decoded outside of the transaction.
package struct StoredUserData: Sendable {
    /// A row of a list.
    package struct Film: Sendable {
        let movie: String
        let addedAt: Int64
        let snapshot: String

        package init(movie: String, addedAt: Int64, snapshot: String) {
            self.movie = movie
            self.addedAt = addedAt
            self.snapshot = snapshot
        }
    }

    /// A row of a guest's ratings.
    package struct Rated: Sendable {
        let film: Film
        let halves: Int64

        package init(film: Film, halves: Int64) {
            self.film = film
            self.halves = halves
        }
    }

    /// One row more than an export contains, to detect an incomplete export.
    package static let queryLimit = UserData.rowLimit + 1

    package var favourites: [Film] = []
    package var watchlist: [Film] = []
    package var ratings: [Rated] = []
    package var guests: [GuestAccount] = []
    package var sessions: [(owner: String, expiresAt: Int64)] = []

    package init() {}

    /// Omits rows without a valid id.
    package func userData(of owner: Owner) -> UserData {
        let limit = UserData.rowLimit
        var data = UserData(owner: owner)
        data.guests = self.guests.prefix(limit).map(\.account)
        data.favourites = self.favourites.prefix(limit).compactMap(\.listed)
        data.watchlist = self.watchlist.prefix(limit).compactMap(\.listed)
        data.ratings = self.ratings.prefix(limit).compactMap { row in
            guard let film = row.film.listed, let rating = Rating(Double(row.halves) / 2) else { return nil }
            return UserData.RatedFilm(film: film.film, rating: rating, ratedAt: film.addedAt)
        }
        data.sessions = self.sessions.prefix(limit).compactMap { row in
            Owner(key: row.owner).map {
                UserData.StoredSession(owner: $0, expiresAt: Instant(stored: row.expiresAt))
            }
        }
        let counts = [
            self.favourites.count, self.watchlist.count, self.ratings.count, self.guests.count, self.sessions.count,
        ]
        data.isComplete = counts.allSatisfy { $0 <= limit }
        return data
    }
}

extension StoredUserData.Film {
    /// `nil` without a valid id.
    fileprivate var listed: UserData.ListedFilm? {
        guard let id = MovieID(self.movie) else { return nil }
        // Only the name may be shown from an old snapshot.
        let snapshot = MovieSnapshot(json: self.snapshot)?.nameOnly
        return UserData.ListedFilm(
            film: UserData.Film(id: id, title: snapshot?.title, year: snapshot?.year),
            addedAt: Instant(stored: self.addedAt))
    }
}

extension Instant {
    /// The end of the year 9999, the last date of RFC 3339.
    private static let lastSecond: Int64 = 253_402_300_799

    /// Clamps a stored time to the years 1970 to 9999: the row may be damaged.
    fileprivate init(stored seconds: Int64) {
        self.init(secondsSince1970: min(max(0, seconds), Self.lastSecond))
    }
}

import HTTPServer
package import MovieDomain

/// The export of a user's stored data: `GET /account/export`, and `onesheet library export`.
package struct UserDataObject: Encodable, Sendable {
    /// The version of the format. Increment it if a member changes its meaning or is removed.
    static let version = 1

    struct AccountObject: Encodable, Sendable {
        let source, id: String
        /// `nil` if it is not stored here.
        let username: String?
    }

    struct FilmObject: Encodable, Sendable {
        let id: String
        let title: String?
        let year: Int?
        /// RFC 3339; for a film of a list.
        var addedAt: String?
        var rating: Double?
        /// RFC 3339; for a rating.
        var ratedAt: String?

        init(_ film: UserData.Film) {
            self.id = film.id.description
            self.title = film.title
            self.year = film.year
        }

        init(_ listed: UserData.ListedFilm) {
            self.init(listed.film)
            self.addedAt = listed.addedAt.description
        }

        init(_ rated: UserData.RatedFilm) {
            self.init(rated.film)
            self.rating = rated.rating.value
            self.ratedAt = rated.ratedAt.description
        }
    }

    struct SessionObject: Encodable, Sendable {
        let owner, expiresAt: String
    }

    let version: Int
    let exportedAt, owner: String
    /// Whether no list was truncated at ``UserData/rowLimit``.
    let isComplete: Bool
    let accounts: [AccountObject]
    let favourites, watchlist: [FilmObject]
    /// `nil` for an account if its source stores the ratings.
    let ratings: [FilmObject]?
    let sessions: [SessionObject]

    package init(_ data: UserData, at now: Instant) {
        self.version = Self.version
        self.exportedAt = now.description
        self.owner = data.owner.key
        self.isComplete = data.isComplete
        self.favourites = data.favourites.map(FilmObject.init)
        self.watchlist = data.watchlist.map(FilmObject.init)
        self.sessions = data.sessions.map {
            SessionObject(owner: $0.owner.key, expiresAt: $0.expiresAt.description)
        }
        let guests = data.guests.map {
            AccountObject(source: $0.source.rawValue, id: $0.id, username: $0.username)
        }
        switch data.owner {
        case .device, .account(.embedded, _):
            self.accounts = guests
            self.ratings = data.ratings.map(FilmObject.init)
        case .account(let source, let id):
            self.accounts = [AccountObject(source: source.rawValue, id: id, username: nil)]
            self.ratings = nil
        }
    }

    /// - Throws: `EncodingError`.
    package func json() throws -> [UInt8] { try EncodedResponse.jsonBytes(of: self) }
}

/// A table of users' data for copying between libraries: its names in both kinds of database.
///
/// Decisions about posters are not copied, as they can be made again.
package struct LibraryTable: Sendable {
    /// The names of a column.
    package struct Column: Sendable {
        package let sqlite: String
        package let postgres: String

        init(_ sqlite: String, _ postgres: String) {
            self.sqlite = sqlite
            self.postgres = postgres
        }
    }

    /// For messages.
    package let name: String
    package let sqlite: String
    package let postgres: String
    /// Without `sequence`, which orders the rows.
    package let columns: [Column]

    /// All tables; referenced ones come first.
    package static let all: [LibraryTable] = [
        LibraryTable(
            name: "film links", sqlite: "filmLink", postgres: "film_link",
            columns: [
                Column("film", "film"), Column("counterpart", "counterpart"), Column("reason", "reason"),
                Column("linkedAt", "linked_at"),
            ]),
        LibraryTable(
            name: "sessions", sqlite: "session", postgres: "session",
            columns: [
                Column("tokenHash", "token_hash"), Column("owner", "owner"), Column("ownerSource", "owner_source"),
                Column("ownerID", "owner_id"), Column("source", "source"), Column("accountID", "account_id"),
                Column("keyID", "key_id"), Column("sealedSecret", "sealed_secret"), Column("device", "device"),
                Column("expiresAt", "expires_at"),
            ]),
        Self.list("favourites", "favourite", "favourite"),
        Self.list("watchlists", "watchlistFilm", "watchlist_film"),
        LibraryTable(
            name: "authorization requests", sqlite: "approvalWish", postgres: "approval_request",
            columns: [
                Column("tokenHash", "token_hash"), Column("returnTo", "return_to"), Column("state", "state"),
                Column("expiresAt", "expires_at"),
            ]),
        LibraryTable(
            name: "guests", sqlite: "localAccount", postgres: "guest",
            columns: [Column("id", "id"), Column("username", "username"), Column("secretHash", "secret_hash")]),
        LibraryTable(
            name: "ratings", sqlite: "localRating", postgres: "guest_rating",
            columns: [
                Column("account", "account"), Column("movie", "movie"), Column("halves", "halves"),
                Column("ratedAt", "rated_at"), Column("snapshotFormat", "snapshot_format"),
                Column("snapshot", "snapshot"),
            ]),
    ]

    private static func list(_ name: String, _ sqlite: String, _ postgres: String) -> LibraryTable {
        LibraryTable(
            name: name, sqlite: sqlite, postgres: postgres,
            columns: [
                Column("owner", "owner"), Column("movie", "movie"), Column("addedAt", "added_at"),
                Column("snapshotFormat", "snapshot_format"), Column("snapshot", "snapshot"),
                Column("snapshotAt", "snapshot_at"),
            ])
    }
}

import MovieLibrary

extension StoredList {
    var postgresTable: String {
        switch self {
        case .favourites: "favourite"
        case .watchlist: "watchlist_film"
        }
    }
}

extension FavouriteRecord {
    /// The sequence is for logs.
    static let postgresColumns = "sequence, movie, added_at, snapshot, snapshot_at"

    init?(_ row: PostgresRow) {
        guard let movie = row.text(1), let addedAt = row.integer(2), let snapshot = row.text(3) else { return nil }
        self.init(movie: movie, addedAt: addedAt, snapshot: snapshot, snapshotAt: row.integer(4))
    }
}

extension PostgresConnection {
    /// Blocks other transactions that change the owner's data until the end of this one.
    func lock(owner: String) throws {
        _ = try self.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text(owner)])
    }
}

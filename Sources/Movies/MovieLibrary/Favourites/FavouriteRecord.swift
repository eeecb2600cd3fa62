package import GRDB
package import MovieDomain
package import RebuildableDatabase

/// A row of a ``StoredList``.
package struct FavouriteRecord: Sendable {
    let movie: String
    let addedAt: Int64
    let snapshot: String
    /// The time of the snapshot; `nil` if it does not expire.
    let snapshotAt: Int64?

    package init(movie: String, addedAt: Int64, snapshot: String, snapshotAt: Int64?) {
        self.movie = movie
        self.addedAt = addedAt
        self.snapshot = snapshot
        self.snapshotAt = snapshotAt
    }

    package init(row: Row) throws(DamagedRow) {
        self.movie = try row.checked("movie")
        self.addedAt = try row.checked("addedAt")
        self.snapshot = try row.checked("snapshot")
        self.snapshotAt = try row.checked("snapshotAt")
    }

    /// `nil` for an invalid row.
    package func favourite(at now: Instant) -> Favourite? {
        guard let id = MovieID(self.movie), let snapshot = MovieSnapshot(json: self.snapshot) else { return nil }
        let shown = SnapshotExpiry.isOver(id, takenAt: self.snapshotAt, at: now) ? snapshot.nameOnly : snapshot
        guard let movie = shown.movie(id) else { return nil }
        return Favourite(
            movie: movie, addedAt: Instant(secondsSince1970: self.addedAt),
            language: shown.language.flatMap { Language($0) })
    }
}

import GRDB
import MovieDomain

/// A row of `favourite`.
struct FavouriteRecord: Decodable, FetchableRecord {
    let sequence: Int64
    let movie: String
    let addedAt: Int64
    let snapshot: String
    /// When that was taken; nil when nothing of it grows old.
    let snapshotAt: Int64?

    /// nil when the row makes none.
    func favourite(at now: Instant) -> Favourite? {
        guard let id = MovieID(self.movie), let snapshot = MovieSnapshot(json: self.snapshot) else { return nil }
        let shown = SnapshotAge.isOver(id, takenAt: self.snapshotAt, at: now) ? snapshot.nameOnly : snapshot
        guard let movie = shown.movie(id) else { return nil }
        return Favourite(movie: movie, addedAt: Instant(secondsSince1970: self.addedAt))
    }
}

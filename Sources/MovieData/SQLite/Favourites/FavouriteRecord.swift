import GRDB
import MovieDomain

/// A row of `favourite`.
struct FavouriteRecord: Decodable, FetchableRecord {
    let sequence: Int64
    let movie: String
    let addedAt: Int64
    let snapshot: String

    /// nil when the row makes none.
    var favourite: Favourite? {
        guard let id = MovieID(self.movie), let movie = MovieSnapshot(json: self.snapshot)?.movie(id) else {
            return nil
        }
        return Favourite(movie: movie, addedAt: Instant(secondsSince1970: self.addedAt))
    }
}

import GRDB

/// A row of `localRating`, for its account.
struct RatingRecord: Decodable, FetchableRecord {
    let movie: String
    let halves: Int
    let snapshot: String
}

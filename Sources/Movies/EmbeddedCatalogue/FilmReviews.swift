import GRDB
import MovieDomain

/// Reviews of the embedded catalogue's films. All of them are invented.
enum FilmReviews {
    /// The latest first.
    ///
    /// - Parameters:
    ///   - number: From 1; behind the last there is an empty one.
    ///   - size: Of a page, at least 1.
    /// - Throws: `DatabaseError`.
    static func page(_ number: Int, size: Int, of film: MovieID, _ db: Database) throws -> Page<Review> {
        let number = max(1, number)
        let count = try db.cachedStatement(sql: "SELECT COUNT(*) FROM filmReview WHERE filmId = ?")
        let total = try Int.fetchOne(count, arguments: [film.key]) ?? 0
        let pages = (total + size - 1) / size
        guard number <= pages else {
            return Page(number: number, results: [], totalPages: pages, totalResults: total)
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT number, author, score, day, content FROM filmReview WHERE filmId = ?
                ORDER BY day DESC, number DESC LIMIT ? OFFSET ?
                """)
        let rows = try Row.fetchAll(statement, arguments: [film.key, size, (number - 1) * size])
        return Page(
            number: number, results: rows.map { self.review($0, of: film) }, totalPages: pages, totalResults: total)
    }

    private static func review(_ row: Row, of film: MovieID) -> Review {
        let (number, author, day): (Int, String, String) = (row["number"], row["author"], row["day"])
        let instant = CalendarDate(day).map { Instant(secondsSince1970: Int64($0.dayNumber) * 86_400) }
        return Review(
            id: "\(film.key)-\(number)", author: author, score: row["score"], content: row["content"],
            createdAt: instant)
    }
}

import GRDB
package import MovieDomain
import MovieLibrary
import RebuildableDatabase

/// An account has at most as many ratings as there are films.
extension EmbeddedAccounts {
    package func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool {
        _ = try await self.account(of: session)
        guard let movie = try await self.movie(id) else { return false }
        let snapshot = try MovieSnapshot.json(of: movie)
        let now = self.now().secondsSince1970
        try await self.database.write { db in
            guard let guest = try LocalAccount.fetch(session, from: db, self.damage) else { throw SessionExpired() }
            let arguments: StatementArguments = [MovieSnapshot.format, snapshot, guest.id, id.description]
            try db.execute(
                sql: """
                    UPDATE localRating SET snapshotFormat = ?, snapshot = ?
                    WHERE account = ? AND movie = ? AND halves = \(rating.halves)
                    """, arguments: arguments)
            guard db.changesCount == 0 else { return }
            // A replaced row has a new sequence: the changed rating becomes the latest one.
            try db.execute(
                sql: """
                    REPLACE INTO localRating (snapshotFormat, snapshot, account, movie, halves, ratedAt)
                    VALUES (?, ?, ?, ?, \(rating.halves), \(now))
                    """, arguments: arguments)
        }
        return true
    }

    /// Deletes the rating of a film; has no effect without a rating.
    package func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool {
        let wasRated = try await self.database.write { db in
            guard let guest = try LocalAccount.fetch(session, from: db, self.damage) else { throw SessionExpired() }
            try db.execute(
                sql: "DELETE FROM localRating WHERE account = ? AND movie = ?", arguments: [guest.id, id.description])
            return db.changesCount > 0
        }
        // A rated film may have been removed from the catalogue.
        if wasRated { return true }
        return try await self.movie(id) != nil
    }

    package func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating? {
        if let rating = try await self.ratings(of: [id], with: session)?[id] { return rating }
        guard try await self.movie(id) != nil else { throw UnknownMovie(id) }
        return nil
    }

    /// Executes a single statement for all ids.
    package func ratings(of ids: [MovieID], with session: UpstreamSession) async throws -> [MovieID: Rating]? {
        // Ids need no escaping.
        let list = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let rows = try await self.database.read { db in
            guard let guest = try LocalAccount.fetch(session, from: db, self.damage) else { throw SessionExpired() }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT movie, halves, snapshot FROM localRating
                    WHERE account = ? AND movie IN (SELECT value FROM json_each(?))
                    """)
            return try self.damage.rows(statement, [guest.id, list], of: "localRating", RatingRecord.init(row:))
        }
        let ratings = rows.map { ($0.movie, $0.rating) }
        return Dictionary(ratings) { first, _ in first }
    }

    /// The latest first. A film that is not available is shown as stored with its rating.
    package func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie> {
        let window = PageWindow(number: page, size: self.limits.pageSize)
        let (records, total) = try await self.database.read { db in
            guard let guest = try LocalAccount.fetch(session, from: db, self.damage) else { throw SessionExpired() }
            return try window.rows(
                db, count: "SELECT count(*) FROM localRating WHERE account = ?",
                select: """
                    SELECT movie, halves, snapshot FROM localRating WHERE account = ?
                    ORDER BY ratedAt DESC, sequence DESC
                    """, arguments: [guest.id], of: "localRating", self.damage,
                decode: RatingRecord.init(row:))
        }
        var rated: [RatedMovie] = []
        for record in records {
            let latest = try await self.latest(record.movie, language)
            guard let movie = latest ?? MovieSnapshot(json: record.snapshot)?.movie(record.movie) else {
                self.damage.record("localRating", because: "the snapshot cannot be read")
                continue
            }
            rated.append(RatedMovie(movie: movie, rating: record.rating))
        }
        return window.page(rated, of: total)
    }

    private func movie(_ id: MovieID) async throws -> MovieSummary? {
        guard id.source == self.movies.source else { return nil }
        return try await self.movies.movie(id, language: LanguagePreference())?.summary
    }

    /// - Returns: `nil` if the film is not available.
    private func latest(_ id: MovieID, _ language: LanguagePreference) async throws -> MovieSummary? {
        guard id.source == self.movies.source else { return nil }
        do {
            return try await self.movies.movie(id, language: language)?.summary
        } catch is SourceFailure {
            // The snapshot replaces it.
            return nil
        }
    }
}

/// A row of `localRating`, for its account.
struct RatingRecord {
    let movie: MovieID
    let rating: Rating
    let snapshot: String

    init(row: Row) throws(DamagedRow) {
        guard let movie = MovieID(try row.checked("movie")),
            let rating = Rating(Double(try row.checked("halves", in: 1...20)) / 2)
        else { throw DamagedRow("movie or halves is out of range") }
        self.movie = movie
        self.rating = rating
        self.snapshot = try row.checked("snapshot")
    }
}

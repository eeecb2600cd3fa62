import GRDB
package import MovieDomain
import MovieLibrary

/// There are at most as many ratings of an account as there are films.
extension EmbeddedAccounts {
    package func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool {
        _ = try await self.account(of: session)
        guard let movie = try await self.movie(id) else { return false }
        let snapshot = try MovieSnapshot.json(of: movie)
        let now = self.now().secondsSince1970
        try await self.database.write { db in
            guard let guest = try LocalAccount.fetch(session, from: db) else { throw SessionExpired() }
            let arguments: StatementArguments = [MovieSnapshot.format, snapshot, guest.id, id.description]
            try db.execute(
                sql: """
                    UPDATE localRating SET snapshotFormat = ?, snapshot = ?
                    WHERE account = ? AND movie = ? AND halves = \(rating.halves)
                    """, arguments: arguments)
            guard db.changesCount == 0 else { return }
            // A replaced row has a new sequence: a changed rating is the latest one.
            try db.execute(
                sql: """
                    REPLACE INTO localRating (snapshotFormat, snapshot, account, movie, halves, ratedAt)
                    VALUES (?, ?, ?, ?, \(rating.halves), \(now))
                    """, arguments: arguments)
        }
        return true
    }

    /// Deletes the rating of a film; does nothing without one.
    package func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool {
        let wasRated = try await self.database.write { db in
            guard let guest = try LocalAccount.fetch(session, from: db) else { throw SessionExpired() }
            try db.execute(
                sql: "DELETE FROM localRating WHERE account = ? AND movie = ?", arguments: [guest.id, id.description])
            return db.changesCount > 0
        }
        // A rated film may have left the catalogue since.
        if wasRated { return true }
        return try await self.movie(id) != nil
    }

    package func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating? {
        if let rating = try await self.ratings(of: [id], with: session)?[id] { return rating }
        guard try await self.movie(id) != nil else { throw UnknownMovie(id) }
        return nil
    }

    /// By one statement, however many they are.
    package func ratings(of ids: [MovieID], with session: UpstreamSession) async throws -> [MovieID: Rating]? {
        // Ids need no escaping.
        let list = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let rows = try await self.database.read { db in
            guard let guest = try LocalAccount.fetch(session, from: db) else { throw SessionExpired() }
            let statement = try db.cachedStatement(
                sql: """
                    SELECT movie, halves FROM localRating
                    WHERE account = ? AND movie IN (SELECT value FROM json_each(?))
                    """)
            return try Row.fetchAll(statement, arguments: [guest.id, list]).map { row in
                (movie: row["movie"] as String, halves: row["halves"] as Int)
            }
        }
        let ratings = rows.compactMap { row in
            MovieID(row.movie).flatMap { id in Rating(Double(row.halves) / 2).map { (id, $0) } }
        }
        return Dictionary(ratings) { first, _ in first }
    }

    /// The latest first. A film that is not available is shown as of its rating.
    package func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie> {
        let window = PageWindow(number: page, size: self.limits.pageSize)
        let (records, total): ([RatingRecord], Int) = try await self.database.read { db in
            guard let guest = try LocalAccount.fetch(session, from: db) else { throw SessionExpired() }
            return try window.rows(
                db, count: "SELECT count(*) FROM localRating WHERE account = ?",
                select: """
                    SELECT movie, halves, snapshot FROM localRating WHERE account = ?
                    ORDER BY ratedAt DESC, sequence DESC
                    """, arguments: [guest.id])
        }
        var rated: [RatedMovie] = []
        for record in records {
            guard let id = MovieID(record.movie), let rating = Rating(Double(record.halves) / 2) else { continue }
            guard let movie = try await self.latest(id, language) ?? MovieSnapshot(json: record.snapshot)?.movie(id)
            else { continue }
            rated.append(RatedMovie(movie: movie, rating: rating))
        }
        return window.page(rated, of: total)
    }

    private func movie(_ id: MovieID) async throws -> MovieSummary? {
        guard id.source == self.movies.source else { return nil }
        return try await self.movies.movie(id, language: LanguagePreference())?.summary
    }

    /// - Returns: nil when it is not available.
    private func latest(_ id: MovieID, _ language: LanguagePreference) async throws -> MovieSummary? {
        guard id.source == self.movies.source else { return nil }
        do {
            return try await self.movies.movie(id, language: language)?.summary
        } catch is SourceFailure {
            // The snapshot serves instead.
            return nil
        }
    }
}

/// A row of `localRating`, for its account.
struct RatingRecord: Decodable, FetchableRecord {
    let movie: String
    let halves: Int
    let snapshot: String
}

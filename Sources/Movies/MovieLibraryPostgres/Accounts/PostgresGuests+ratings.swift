package import MovieDomain
import MovieLibrary

/// An account has at most as many ratings as there are films.
extension PostgresGuests {
    package func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool {
        _ = try await self.account(of: session)
        guard let movie = try await self.movie(id) else { return false }
        let snapshot = try MovieSnapshot.json(of: movie)
        let now = self.now().secondsSince1970
        try await self.library.write { connection in
            let guest = try Self.known(session, connection)
            try connection.lock(owner: Owner.account(.embedded, id: guest.id).key)
            let film: [PostgresValue] = [.text(guest.id), .text(id.description)]
            let content: [PostgresValue] = [
                .integer(Int64(MovieSnapshot.format)), .text(snapshot), .integer(Int64(rating.halves)),
            ]
            let updated = try connection.execute(
                """
                UPDATE guest_rating SET snapshot_format = $3, snapshot = $4
                WHERE account = $1 AND movie = $2 AND halves = $5
                """, film + content)
            guard updated.changeCount == 0 else { return }
            // A replaced row has a new sequence: the changed rating becomes the latest one.
            _ = try connection.execute("DELETE FROM guest_rating WHERE account = $1 AND movie = $2", film)
            _ = try connection.execute(
                """
                INSERT INTO guest_rating (account, movie, snapshot_format, snapshot, halves, rated_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                """, film + content + [.integer(now)])
        }
        return true
    }

    /// Deletes the rating of a film; has no effect without a rating.
    package func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool {
        let wasRated = try await self.library.write { connection in
            let guest = try Self.known(session, connection)
            return try connection.execute(
                "DELETE FROM guest_rating WHERE account = $1 AND movie = $2",
                [.text(guest.id), .text(id.description)]
            ).changeCount > 0
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
        let list = PostgresValue.list(of: ids)
        let rows = try await self.library.read { connection in
            let guest = try Self.known(session, connection)
            return try connection.execute(
                """
                SELECT movie, halves FROM guest_rating
                WHERE account = $1 AND movie IN (SELECT jsonb_array_elements_text($2::jsonb))
                """, [.text(guest.id), list]
            ).rows
        }
        let ratings = rows.compactMap { row -> (MovieID, Rating)? in
            guard let id = row.text(0).flatMap({ MovieID($0) }), let rating = Self.rating(row.integer(1)) else {
                return nil
            }
            return (id, rating)
        }
        return Dictionary(ratings) { first, _ in first }
    }

    /// The latest first. A film that is not available is shown as stored with its rating.
    package func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie> {
        let window = PageWindow(number: page, size: self.limits.pageSize)
        let (rows, total) = try await self.library.read { connection in
            let guest = try Self.known(session, connection)
            return try window.rows(
                connection, count: "SELECT count(*) FROM guest_rating WHERE account = $1",
                select: """
                    SELECT movie, halves, snapshot FROM guest_rating WHERE account = $1
                    ORDER BY rated_at DESC, sequence DESC
                    """, parameters: [.text(guest.id)])
        }
        var rated: [RatedMovie] = []
        for row in rows {
            guard let id = row.text(0).flatMap({ MovieID($0) }), let rating = Self.rating(row.integer(1)) else {
                continue
            }
            guard let movie = try await self.latest(id, language) ?? MovieSnapshot(json: row.text(2) ?? "")?.movie(id)
            else { continue }
            rated.append(RatedMovie(movie: movie, rating: rating))
        }
        return window.page(rated, of: total)
    }

    private static func rating(_ halves: Int64?) -> Rating? { halves.flatMap { Rating(Double($0) / 2) } }

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

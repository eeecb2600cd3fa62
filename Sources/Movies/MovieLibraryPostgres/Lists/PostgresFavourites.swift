import FoundationEssentials
import Logging
package import MovieDomain
package import MovieLibrary

/// The favourites or watchlists of all owners in PostgreSQL. Behaves like `SQLiteFavourites`.
package struct PostgresFavourites: FavouriteRepository {
    private let library: PostgresLibrary
    private let list: StoredList
    private let capacity: PostgresListCapacity
    private let age: SnapshotExpiry
    private let now: @Sendable () -> Instant
    private let firstDamage = OnceFlag()

    /// - Parameters:
    ///   - list: The list; each has its own limits.
    ///   - totalLimit: Maximum number of films in the list; see ``PostgresListCapacity``.
    ///   - now: The current time, which expires snapshots.
    package init(
        _ library: PostgresLibrary, list: StoredList = .favourites,
        totalLimit: Int = PostgresListCapacity.defaultLimit,
        now: @escaping @Sendable () -> Instant = LibraryDatabase.timeOfDay
    ) {
        self.library = library
        self.list = list
        self.capacity = PostgresListCapacity(list, limit: totalLimit)
        self.age = SnapshotExpiry(list)
        self.now = now
    }

    /// The latest first.
    package func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite> {
        await self.sweepIfDue()
        let (window, table) = (PageWindow(number: page, size: size), self.table)
        let (rows, total) = try await self.library.read { connection in
            try window.rows(
                connection, count: "SELECT count(*) FROM \(table) WHERE owner = $1",
                select: """
                    SELECT \(FavouriteRecord.postgresColumns) FROM \(table) WHERE owner = $1
                    ORDER BY added_at DESC, sequence DESC
                    """, parameters: [.text(owner.key)])
        }
        return window.page(rows.compactMap(self.favourite), of: total)
    }

    package func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite? {
        let rows = try await self.library.read { [table = self.table] connection in
            try connection.execute(
                "SELECT \(FavouriteRecord.postgresColumns) FROM \(table) WHERE owner = $1 AND movie = $2",
                [.text(owner.key), .text(id.description)]
            ).rows
        }
        return rows.first.flatMap(self.favourite)
    }

    /// Adds a film, or replaces the snapshot of a film in the list.
    package func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool? {
        let snapshot = try MovieSnapshot.json(of: favourite.movie, language: favourite.language)
        let (id, addedAt) = (favourite.movie.id.description, favourite.addedAt.secondsSince1970)
        let (now, table, capacity, age) = (self.now(), self.table, self.capacity, self.age)
        let isSweepDue = age.isDue(at: now)
        return try await self.library.write { connection in
            if isSweepDue { try Self.sweep(table, age, at: now, connection) }
            try connection.lock(owner: owner.key)
            let film: [PostgresValue] = [.text(owner.key), .text(id)]
            let content: [PostgresValue] = [
                .integer(Int64(MovieSnapshot.format)), .text(snapshot), .integer(now.secondsSince1970),
            ]
            let updated = try connection.execute(
                """
                UPDATE \(table) SET snapshot_format = $3, snapshot = $4, snapshot_at = $5
                WHERE owner = $1 AND movie = $2
                """, film + content)
            guard updated.changeCount == 0 else { return false }
            let count = try connection.execute("SELECT count(*) FROM \(table) WHERE owner = $1", [.text(owner.key)])
            guard count.integer ?? 0 < limit else { return nil }
            try capacity.make(connection)
            _ = try connection.execute(
                """
                INSERT INTO \(table) (owner, movie, snapshot_format, snapshot, snapshot_at, added_at)
                VALUES ($1, $2, $3, $4, $5, $6)
                """, film + content + [.integer(addedAt)])
            return true
        }
    }

    package func remove(_ id: MovieID, of owner: Owner) async throws {
        try await self.library.write { [table = self.table] connection in
            _ = try connection.execute(
                "DELETE FROM \(table) WHERE owner = $1 AND movie = $2", [.text(owner.key), .text(id.description)])
        }
    }

    /// Two linked ids are the same film; the other owner's id is kept.
    package func move(from owner: Owner, to other: Owner, limit: Int) async throws -> Int {
        let (from, to, table) = (owner.key, other.key, self.table)
        guard from != to else { return 0 }
        return try await self.library.write { connection in
            // In a fixed order, so that two moves cannot deadlock.
            for each in [from, to].sorted() { try connection.lock(owner: each) }
            func count() throws -> Int {
                Int(
                    try connection.execute("SELECT count(*) FROM \(table) WHERE owner = $1", [.text(to)]).integer ?? 0)
            }
            let before = try count()
            let owners: [PostgresValue] = [.text(from), .text(to)]
            _ = try connection.execute(Self.renewal(of: table), owners)
            _ = try connection.execute(
                """
                \(Self.filmsOfBoth(in: table))
                DELETE FROM \(table) WHERE sequence IN (
                    SELECT moved.sequence FROM known AS moved JOIN known AS kept ON kept.film = moved.film
                    WHERE moved.owner = $1 AND kept.owner = $2)
                """, owners)
            _ = try connection.execute(
                """
                UPDATE \(table) SET owner = $2 WHERE sequence IN (
                    SELECT sequence FROM \(table) WHERE owner = $1 ORDER BY added_at DESC, sequence DESC LIMIT $3)
                """, owners + [.integer(Int64(max(0, limit - before)))])
            return try count() - before
        }
    }

    package func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID> {
        guard !ids.isEmpty else { return [] }
        let list = PostgresValue.list(of: ids)
        let rows = try await self.library.read { [table = self.table] connection in
            try connection.execute(
                """
                SELECT movie FROM \(table)
                WHERE owner = $1 AND movie IN (SELECT jsonb_array_elements_text($2::jsonb))
                """, [.text(owner.key), list]
            ).rows
        }
        return Set(rows.compactMap { $0.text(0).flatMap { MovieID($0) } })
    }

    private var table: String { self.list.postgresTable }

    private func favourite(_ row: PostgresRow) -> Favourite? {
        if let favourite = FavouriteRecord(row)?.favourite(at: self.now()) { return favourite }
        if self.firstDamage.setsFirst() {
            self.library.logger.warning(
                "One of the \(self.list.words) cannot be read; unreadable rows are omitted",
                metadata: ["row": "\(row.integer(0) ?? 0)"])
        }
        return nil
    }

    private func sweepIfDue() async {
        let (now, table, age) = (self.now(), self.table, self.age)
        guard age.isDue(at: now) else { return }
        // The library logs failures, and expired snapshots are not shown even if they are still stored.
        try? await self.library.write { try Self.sweep(table, age, at: now, $0) }
    }

    private static func sweep(
        _ table: String, _ age: SnapshotExpiry, at now: Instant, _ connection: PostgresConnection
    ) throws {
        let rows = try connection.execute(
            """
            SELECT sequence, snapshot FROM \(table)
            WHERE movie LIKE 'tmdb:%' AND snapshot_at IS NOT NULL AND snapshot_at <= $1
            ORDER BY snapshot_at LIMIT $2 FOR UPDATE SKIP LOCKED
            """, [.integer(now.secondsSince1970 - SnapshotExpiry.limit), .integer(Int64(SnapshotExpiry.batch))]
        ).rows
        for row in rows {
            guard let sequence = row.integer(0), let text = row.text(1) else { continue }
            // Discards an unreadable snapshot.
            let name = try MovieSnapshot(json: text)?.nameOnly.json() ?? "{}"
            _ = try connection.execute(
                "UPDATE \(table) SET snapshot = $2, snapshot_at = NULL WHERE sequence = $1",
                [.integer(sequence), .text(name)])
        }
        age.swept(rows.count)
    }

    /// The rows of the owners `$1` and `$2` as `known`, with an id shared by all ids of a film.
    private static func filmsOfBoth(in table: String) -> String {
        """
        WITH known AS MATERIALIZED (
            SELECT own.*, coalesce(film_link.counterpart, own.movie) AS film
            FROM \(table) AS own LEFT JOIN film_link ON film_link.film = own.movie
            WHERE own.owner IN ($1, $2))
        """
    }

    /// Several moved ids may be the same film: keeps the earliest day of all of them, and the newest snapshot of the
    /// kept id. An expired snapshot is older than any other.
    private static func renewal(of table: String) -> String {
        """
        \(Self.filmsOfBoth(in: table))
        UPDATE \(table) AS own SET
            added_at = least(own.added_at, renewed.added_at),
            snapshot_format = CASE WHEN renewed.is_newer THEN renewed.snapshot_format ELSE own.snapshot_format END,
            snapshot = CASE WHEN renewed.is_newer THEN renewed.snapshot ELSE own.snapshot END,
            snapshot_at = CASE WHEN renewed.is_newer THEN renewed.snapshot_at ELSE own.snapshot_at END
        FROM (
            SELECT kept.sequence AS kept_sequence, min(moved.added_at) AS added_at,
                newer.sequence IS NOT NULL AS is_newer, newer.snapshot_format, newer.snapshot, newer.snapshot_at
            FROM known AS moved JOIN known AS kept ON kept.film = moved.film
            LEFT JOIN \(table) AS newer ON newer.owner = $1 AND newer.movie = kept.movie
                AND coalesce(newer.snapshot_at, 0) > coalesce(kept.snapshot_at, 0)
            WHERE moved.owner = $1 AND kept.owner = $2
            GROUP BY kept.sequence, newer.sequence
        ) AS renewed
        WHERE own.sequence = renewed.kept_sequence
        """
    }
}

extension PostgresValue {
    /// Ids as a JSON array, for a single statement with any number of them. Ids need no escaping.
    static func list(of ids: [MovieID]) -> PostgresValue {
        .text("[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    }
}

extension PageWindow {
    /// The page's rows, and the total number of rows.
    ///
    /// - Parameters:
    ///   - count: A statement for the total number.
    ///   - select: A statement for all rows, in order.
    ///   - parameters: The parameters of both statements.
    func rows(
        _ connection: PostgresConnection, count: String, select: String, parameters: [PostgresValue]
    ) throws -> (rows: [PostgresRow], total: Int) {
        let total = Int(try connection.execute(count, parameters).integer ?? 0)
        let (offset, overflows) = (self.number - 1).multipliedReportingOverflow(by: self.size)
        guard !overflows else { return ([], total) }
        let limit = parameters.count + 1
        let result = try connection.execute(
            "\(select) LIMIT $\(limit) OFFSET $\(limit + 1)",
            parameters + [.integer(Int64(self.size)), .integer(Int64(offset))])
        return (result.rows, total)
    }
}

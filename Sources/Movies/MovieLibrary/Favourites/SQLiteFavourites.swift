import GRDB
package import MovieDomain
import RebuildableDatabase

/// The favourites or watchlists of all owners in the library's database.
///
/// Snapshots of films of The Movie Database expire after 180 days (``SnapshotExpiry``). A row with an unreadable
/// snapshot is omitted from lists, but counted, until the film is added again.
package struct SQLiteFavourites: FavouriteRepository {
    package static let defaultTotalLimit = 1_000_000

    /// Maximum number of film ids cached for an owner; none are cached for an owner with more. Reading that many ids is
    /// as fast as looking up some films of a page.
    private static let knownIDLimit = 50
    /// Maximum number of owners with cached films.
    private static let knownLimit = 1024

    /// `nil` if there are too many.
    private typealias FewIDs = Set<MovieID>?

    private let database: LibraryDatabase
    private let known: RowCache<Owner, FewIDs>
    private let list: StoredList
    private let room: FavouriteCapacity
    private let now: @Sendable () -> Instant
    private let age: SnapshotExpiry

    /// - Parameters:
    ///   - list: The list; each has its own limits.
    ///   - totalLimit: Maximum number of films in the list; see ``FavouriteCapacity`` for the evicted ones.
    ///   - now: The current time, which expires snapshots.
    package init(
        _ database: LibraryDatabase, list: StoredList = .favourites, totalLimit: Int = Self.defaultTotalLimit,
        now: @escaping @Sendable () -> Instant = LibraryDatabase.timeOfDay
    ) {
        self.database = database
        self.known = RowCache(of: list.rawValue, database.changes, limit: Self.knownLimit)
        self.list = list
        self.room = FavouriteCapacity(list, limit: totalLimit)
        self.age = SnapshotExpiry(list)
        self.now = now
    }

    /// The latest first.
    package func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite> {
        await self.sweepIfDue()
        let (window, table) = (PageWindow(number: page, size: size), self.table)
        let damage = self.database.damage
        let (records, total) = try await self.database.read { db in
            try window.rows(
                db, count: "SELECT count(*) FROM \(table) WHERE owner = ?",
                select: "SELECT * FROM \(table) WHERE owner = ? ORDER BY addedAt DESC, sequence DESC",
                arguments: [owner.key], of: table, damage, decode: FavouriteRecord.init(row:))
        }
        return window.page(records.compactMap(self.favourite), of: total)
    }

    package func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite? {
        try await self.database.readByOneStatement { [table = self.table, damage = self.database.damage] db in
            try damage.firstRow(
                db.cachedStatement(sql: "SELECT * FROM \(table) WHERE owner = ? AND movie = ?"),
                [owner.key, id.description], of: table, FavouriteRecord.init(row:))
        }.flatMap(self.favourite)
    }

    /// Adds a film, or replaces the snapshot of a film in the list.
    package func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool? {
        let snapshot = try MovieSnapshot.json(of: favourite.movie, language: favourite.language)
        let (id, addedAt) = (favourite.movie.id.description, favourite.addedAt.secondsSince1970)
        let (now, table) = (self.now(), self.table)
        let isSweepDue = self.age.isDue(at: now)
        return try await self.database.write { db in
            if isSweepDue { try self.age.sweep(db, at: now) }
            try db.execute(
                sql: """
                    UPDATE \(table) SET snapshotFormat = ?, snapshot = ?, snapshotAt = ? WHERE owner = ? AND movie = ?
                    """,
                arguments: [MovieSnapshot.format, snapshot, now.secondsSince1970, owner.key, id])
            guard db.changesCount == 0 else { return false }
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM \(table) WHERE owner = ?", arguments: [owner.key])
            guard count ?? 0 < limit else { return nil }
            try self.room.make(in: db)
            try db.execute(
                sql: """
                    INSERT INTO \(table) (owner, movie, addedAt, snapshotFormat, snapshot, snapshotAt)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [owner.key, id, addedAt, MovieSnapshot.format, snapshot, now.secondsSince1970])
            return true
        }
    }

    package func remove(_ id: MovieID, of owner: Owner) async throws {
        try await self.database.write { [table = self.table] db in
            try db.execute(
                sql: "DELETE FROM \(table) WHERE owner = ? AND movie = ?", arguments: [owner.key, id.description])
        }
    }

    /// Two linked ids are the same film; the other owner's id is kept.
    package func move(from owner: Owner, to other: Owner, limit: Int) async throws -> Int {
        let (from, to, table) = (owner.key, other.key, self.table)
        guard from != to else { return 0 }
        return try await self.database.write { db in
            func count() throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table) WHERE owner = ?", arguments: [to]) ?? 0
            }
            let before = try count()
            let owners: StatementArguments = ["from": from, "to": to]
            // Several moved ids may be the same film: keeps the earliest day of all, and the newer snapshot of the kept
            // id. An expired snapshot is older than any other.
            try db.execute(
                sql: """
                    \(Self.filmsOfBoth(in: table))
                    UPDATE \(table) AS own SET
                        addedAt = min(own.addedAt, both.addedAt),
                        snapshotFormat = iif(both.isNewer, both.snapshotFormat, own.snapshotFormat),
                        snapshot = iif(both.isNewer, both.snapshot, own.snapshot),
                        snapshotAt = iif(both.isNewer, both.snapshotAt, own.snapshotAt)
                    FROM (
                        SELECT kept.sequence AS keptSequence, min(moved.addedAt) AS addedAt,
                            newer.sequence IS NOT NULL AS isNewer,
                            newer.snapshotFormat, newer.snapshot, newer.snapshotAt
                        FROM known AS moved JOIN known AS kept ON kept.film = moved.film
                        LEFT JOIN \(table) AS newer ON newer.owner = :from AND newer.movie = kept.movie
                            AND ifnull(newer.snapshotAt, 0) > ifnull(kept.snapshotAt, 0)
                        WHERE moved.owner = :from AND kept.owner = :to
                        GROUP BY kept.sequence
                    ) AS both
                    WHERE own.sequence = both.keptSequence
                    """, arguments: owners)
            try db.execute(
                sql: """
                    \(Self.filmsOfBoth(in: table))
                    DELETE FROM \(table) WHERE sequence IN (
                        SELECT moved.sequence FROM known AS moved JOIN known AS kept ON kept.film = moved.film
                        WHERE moved.owner = :from AND kept.owner = :to)
                    """, arguments: owners)
            try db.execute(
                sql: """
                    UPDATE \(table) SET owner = ? WHERE sequence IN (
                        SELECT sequence FROM \(table) WHERE owner = ?
                        ORDER BY addedAt DESC, sequence DESC LIMIT ?)
                    """, arguments: [to, from, max(0, limit - before)])
            return try count() - before
        }
    }

    /// A `WITH` clause that defines `known`: the rows of the owners `:from` and `:to`; all ids of a film have the same
    /// value of `film`.
    private static func filmsOfBoth(in table: String) -> String {
        """
        WITH known AS MATERIALIZED (
            SELECT \(table).*, ifnull(filmLink.counterpart, \(table).movie) AS film
            FROM \(table) LEFT JOIN filmLink ON filmLink.film = \(table).movie
            WHERE \(table).owner IN (:from, :to))
        """
    }

    package func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID> {
        guard !ids.isEmpty else { return [] }
        let known = try await self.known.value(for: owner) { .some(try await self.fewIDs(of: owner)) } ?? nil
        if let known { return known.intersection(ids) }
        // Ids need no escaping. A single statement for all ids.
        let list = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        return Set(
            try await self.movies(
                "SELECT movie FROM \(self.table) WHERE owner = ? AND movie IN (SELECT value FROM json_each(?))",
                [owner.key, list]
            ).compactMap(\.self))
    }

    private func fewIDs(of owner: Owner) async throws -> FewIDs {
        let ids = try await self.movies(
            "SELECT movie FROM \(self.table) WHERE owner = ? LIMIT ?", [owner.key, Self.knownIDLimit + 1])
        return ids.count <= Self.knownIDLimit ? Set(ids.compactMap(\.self)) : nil
    }

    /// The ids in the rows; `nil` for an invalid one.
    private func movies(_ sql: String, _ arguments: StatementArguments) async throws -> [MovieID?] {
        try await self.database.readByOneStatement { [table = self.table, damage = self.database.damage] db in
            try damage.rows(db.cachedStatement(sql: sql), arguments, of: table) { row in
                (try? row.checked("movie", as: String.self)).flatMap { MovieID($0) }
            }
        }
    }

    private var table: String { self.list.rawValue }

    private func sweepIfDue() async {
        let now = self.now()
        guard self.age.isDue(at: now) else { return }
        // The library logs failures, and expired snapshots are not shown even if they are still stored.
        try? await self.database.write { db in try self.age.sweep(db, at: now) }
    }

    private func favourite(_ record: FavouriteRecord) -> Favourite? {
        if let favourite = record.favourite(at: self.now()) { return favourite }
        self.database.damage.record(self.table, because: "the id or the snapshot cannot be read")
        return nil
    }
}

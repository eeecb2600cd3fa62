import GRDB
package import Logging
package import MovieDomain

/// Favourites in the library's database.
///
/// Snapshots of films of The Movie Database expire after 180 days (``SnapshotExpiry``).
/// A row with an unreadable snapshot is left out of lists, but counted, until it is put again.
package struct SQLiteFavourites: FavouriteRepository {
    /// Favourites in all.
    package static let defaultTotalLimit = 1_000_000

    private let database: LibraryDatabase
    private let room: FavouriteCapacity
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let age = SnapshotExpiry()
    private let firstDamage = OnceFlag()

    /// - Parameters:
    ///   - totalLimit: Favourites in all; see ``FavouriteCapacity`` for which are evicted.
    ///   - now: The time of day, which expires snapshots.
    package init(
        _ database: LibraryDatabase, totalLimit: Int = Self.defaultTotalLimit,
        logger: Logger = Logger(label: "onesheet"),
        now: @escaping @Sendable () -> Instant = LibraryDatabase.timeOfDay
    ) {
        self.database = database
        self.room = FavouriteCapacity(limit: totalLimit)
        self.logger = logger
        self.now = now
    }

    /// The latest first.
    package func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite> {
        await self.sweepIfDue()
        let window = PageWindow(number: page, size: size)
        let (records, total): ([FavouriteRecord], Int) = try await self.database.read { db in
            try window.rows(
                db, count: "SELECT count(*) FROM favourite WHERE owner = ?",
                select: "SELECT * FROM favourite WHERE owner = ? ORDER BY addedAt DESC, sequence DESC",
                arguments: [owner.key])
        }
        return window.page(records.compactMap(self.favourite), of: total)
    }

    package func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite? {
        try await self.database.read { db in
            try FavouriteRecord.fetchOne(
                db.cachedStatement(sql: "SELECT * FROM favourite WHERE owner = ? AND movie = ?"),
                arguments: [owner.key, id.description])
        }.flatMap(self.favourite)
    }

    /// Renews the snapshot when it is a favourite already.
    package func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool? {
        let snapshot = try MovieSnapshot.json(of: favourite.movie, language: favourite.language)
        let (id, addedAt) = (favourite.movie.id.description, favourite.addedAt.secondsSince1970)
        let now = self.now()
        let isSweepDue = self.age.isDue(at: now)
        return try await self.database.write { db in
            if isSweepDue { try self.age.sweep(db, at: now) }
            try db.execute(
                sql: """
                    UPDATE favourite SET snapshotFormat = ?, snapshot = ?, snapshotAt = ? WHERE owner = ? AND movie = ?
                    """,
                arguments: [MovieSnapshot.format, snapshot, now.secondsSince1970, owner.key, id])
            guard db.changesCount == 0 else { return false }
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM favourite WHERE owner = ?", arguments: [owner.key])
            guard count ?? 0 < limit else { return nil }
            try self.room.make(in: db)
            try db.execute(
                sql: """
                    INSERT INTO favourite (owner, movie, addedAt, snapshotFormat, snapshot, snapshotAt)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [owner.key, id, addedAt, MovieSnapshot.format, snapshot, now.secondsSince1970])
            return true
        }
    }

    package func remove(_ id: MovieID, of owner: Owner) async throws {
        try await self.database.write { db in
            try db.execute(
                sql: "DELETE FROM favourite WHERE owner = ? AND movie = ?", arguments: [owner.key, id.description])
        }
    }

    /// Two ids that are linked are the same film, whose id the other owner keeps.
    package func move(from owner: Owner, to other: Owner, limit: Int) async throws -> Int {
        let (from, to) = (owner.key, other.key)
        guard from != to else { return 0 }
        return try await self.database.write { db in
            func count() throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM favourite WHERE owner = ?", arguments: [to]) ?? 0
            }
            let before = try count()
            let owners: StatementArguments = ["from": from, "to": to]
            // Several moved ids may be of one film: the earliest day of all, the newer snapshot of the kept id only. An expired
            // snapshot is older than any.
            try db.execute(
                sql: """
                    \(Self.filmsOfBoth)
                    UPDATE favourite SET
                        addedAt = min(favourite.addedAt, both.addedAt),
                        snapshotFormat = iif(both.isNewer, both.snapshotFormat, favourite.snapshotFormat),
                        snapshot = iif(both.isNewer, both.snapshot, favourite.snapshot),
                        snapshotAt = iif(both.isNewer, both.snapshotAt, favourite.snapshotAt)
                    FROM (
                        SELECT kept.sequence AS keptSequence, min(moved.addedAt) AS addedAt,
                            newer.sequence IS NOT NULL AS isNewer,
                            newer.snapshotFormat, newer.snapshot, newer.snapshotAt
                        FROM known AS moved JOIN known AS kept ON kept.film = moved.film
                        LEFT JOIN favourite AS newer ON newer.owner = :from AND newer.movie = kept.movie
                            AND ifnull(newer.snapshotAt, 0) > ifnull(kept.snapshotAt, 0)
                        WHERE moved.owner = :from AND kept.owner = :to
                        GROUP BY kept.sequence
                    ) AS both
                    WHERE favourite.sequence = both.keptSequence
                    """, arguments: owners)
            try db.execute(
                sql: """
                    \(Self.filmsOfBoth)
                    DELETE FROM favourite WHERE sequence IN (
                        SELECT moved.sequence FROM known AS moved JOIN known AS kept ON kept.film = moved.film
                        WHERE moved.owner = :from AND kept.owner = :to)
                    """, arguments: owners)
            try db.execute(
                sql: """
                    UPDATE favourite SET owner = ? WHERE sequence IN (
                        SELECT sequence FROM favourite WHERE owner = ?
                        ORDER BY addedAt DESC, sequence DESC LIMIT ?)
                    """, arguments: [to, from, max(0, limit - before)])
            return try count() - before
        }
    }

    /// The favourites of the owners `:from` and `:to` as `known`, with the id that all ids of a film share.
    private static let filmsOfBoth = """
        WITH known AS MATERIALIZED (
            SELECT favourite.*, ifnull(filmLink.counterpart, favourite.movie) AS film
            FROM favourite LEFT JOIN filmLink ON filmLink.film = favourite.movie
            WHERE favourite.owner IN (:from, :to))
        """

    package func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID> {
        guard !ids.isEmpty else { return [] }
        // Ids need no escaping. One statement however many they are.
        let list = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let found = try await self.database.read { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql: "SELECT movie FROM favourite WHERE owner = ? AND movie IN (SELECT value FROM json_each(?))"),
                arguments: [owner.key, list])
        }
        return Set(found.compactMap { MovieID($0) })
    }

    private func sweepIfDue() async {
        let now = self.now()
        guard self.age.isDue(at: now) else { return }
        // The library logs failures, and expired snapshots are not shown even if they are still stored.
        try? await self.database.write { db in try self.age.sweep(db, at: now) }
    }

    private func favourite(_ record: FavouriteRecord) -> Favourite? {
        if let favourite = record.favourite(at: self.now()) { return favourite }
        if self.firstDamage.setsFirst() {
            self.logger.warning(
                "A favourite cannot be read; such ones are left out", metadata: ["favourite.row": "\(record.sequence)"])
        }
        return nil
    }
}

/// A row of `favourite`.
struct FavouriteRecord: Decodable, FetchableRecord {
    let sequence: Int64
    let movie: String
    let addedAt: Int64
    let snapshot: String
    /// When the snapshot was taken; nil when it does not expire.
    let snapshotAt: Int64?

    /// nil for an invalid row.
    func favourite(at now: Instant) -> Favourite? {
        guard let id = MovieID(self.movie), let snapshot = MovieSnapshot(json: self.snapshot) else { return nil }
        let shown = SnapshotExpiry.isOver(id, takenAt: self.snapshotAt, at: now) ? snapshot.nameOnly : snapshot
        guard let movie = shown.movie(id) else { return nil }
        return Favourite(
            movie: movie, addedAt: Instant(secondsSince1970: self.addedAt),
            language: shown.language.flatMap { Language($0) })
    }
}

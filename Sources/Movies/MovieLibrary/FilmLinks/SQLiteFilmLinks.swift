import BoundedCache
import FoundationEssentials
import GRDB
package import MovieDomain
import RebuildableDatabase
import Synchronization

/// Links between ids of the same film, in the library's database. Favourites and ratings depend on them, so they must
/// not be lost with a cache.
package final class SQLiteFilmLinks: FilmLinkRepository {
    /// Maximum number of links, `100,000`; the oldest are evicted, and found again when their films are requested.
    package static let defaultLimit = 100_000
    /// Maximum number of cached ids, most of them without links.
    private static let cacheLimit = 8192
    /// Insertions between two counts of the rows.
    private static let countingInterval = 1000

    private struct State {
        var cache = BoundedCache<MovieID, [FilmLink]>(countLimit: SQLiteFilmLinks.cacheLimit)
        /// Rows read before a change must not be cached after it.
        var changeCount = 0
        /// Links written since the last count. Its initial value makes the first write count the links of the file.
        var writtenCount = SQLiteFilmLinks.countingInterval

        mutating func isCountingDue() -> Bool {
            self.writtenCount += 1
            guard self.writtenCount > SQLiteFilmLinks.countingInterval else { return false }
            self.writtenCount = 0
            return true
        }
    }

    private let database: LibraryDatabase
    private let limit: Int
    /// The lock is held for O(1) per id.
    private let state = Mutex(State())

    package init(_ database: LibraryDatabase, limit: Int = SQLiteFilmLinks.defaultLimit) {
        self.database = database
        self.limit = max(1, limit)
    }

    /// Uses the cache for ids requested since the last change.
    package func links(of ids: [MovieID]) async throws -> [FilmLink] {
        let (cache, changeCount) = self.state.withLock { ($0.cache, $0.changeCount) }
        var links: Set<FilmLink> = []
        var missing: [MovieID] = []
        for id in ids {
            if let known = cache.value(for: id) { links.formUnion(known) } else { missing.append(id) }
        }
        if !missing.isEmpty {
            let found = try await self.read(missing)
            self.state.withLock { state in
                guard state.changeCount == changeCount else { return }
                for id in missing { state.cache.insert(found[id] ?? [], for: id) }
            }
            for group in found.values { links.formUnion(group) }
        }
        return Array(links)
    }

    /// Stores a link, and removes the film from lists that already contain it under another id.
    package func keep(_ link: FilmLink) async throws {
        if let known = try await self.link(of: link.film), known.isSame(as: link) { return }
        let isCountingDue = self.state.withLock { $0.isCountingDue() }
        let limit = self.limit
        // Also after a failure, since the commit may have taken effect.
        defer {
            self.state.withLock { state in
                state.changeCount += 1
                state.cache = State().cache
            }
        }
        try await self.database.write { db in
            try db.execute(
                sql: "INSERT INTO filmLink (film, counterpart, reason, linkedAt) VALUES (?, ?, ?, ?)",
                arguments: [
                    link.film.description, link.counterpart.description, link.reason, link.linkedAt.secondsSince1970,
                ])
            for list in StoredList.allCases { try Self.merge(db, link, in: list.rawValue) }
            if isCountingDue { try Self.evict(db, limit: limit) }
        }
    }

    private func read(_ ids: [MovieID]) async throws -> [MovieID: [FilmLink]] {
        // Ids need no escaping. A single statement for all ids.
        let list = "[" + ids.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let rows = try await self.database.readByOneStatement { [damage = self.database.damage] db in
            try damage.rows(
                db.cachedStatement(
                    sql: """
                        SELECT asked.value AS asked, link.film, link.counterpart, link.reason, link.linkedAt
                        FROM json_each(?) AS asked CROSS JOIN filmLink AS link
                        ON link.counterpart =
                            COALESCE((SELECT counterpart FROM filmLink WHERE film = asked.value), asked.value)
                        """),
                [list], of: "filmLink", FilmLinkRecord.init(row:))
        }
        var found: [MovieID: [FilmLink]] = [:]
        for row in rows { found[row.asked, default: []].append(row.link) }
        return found
    }

    /// Merges two entries of one owner that were added before the films were linked.
    private static func merge(_ db: Database, _ link: FilmLink, in table: String) throws {
        try db.execute(
            sql: """
                DELETE FROM \(table) INDEXED BY \(table)Linkable
                WHERE movie = ?1 AND (movie GLOB 'kobis:*' OR movie GLOB 'kmdb:*')
                    AND EXISTS (
                        SELECT 1 FROM \(table) AS other
                        WHERE other.owner = \(table).owner AND other.movie <> ?1 AND other.movie IN (
                            SELECT ?2 UNION ALL SELECT film FROM filmLink WHERE counterpart = ?2))
                """,
            arguments: [link.film.description, link.counterpart.description])
    }

    private static func evict(_ db: Database, limit: Int) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM filmLink") ?? 0
        guard count > limit else { return }
        try db.execute(
            sql: "DELETE FROM filmLink WHERE sequence IN (SELECT sequence FROM filmLink ORDER BY sequence LIMIT ?)",
            arguments: [count - limit])
    }
}

/// A row of `filmLink`, and the requested id.
private struct FilmLinkRecord {
    let asked: MovieID
    let link: FilmLink

    init(row: Row) throws(DamagedRow) {
        guard let film = MovieID(try row.checked("film")), let counterpart = MovieID(try row.checked("counterpart")),
            let asked = MovieID(try row.checked("asked"))
        else { throw DamagedRow("an id is not a film id") }
        self.asked = asked
        self.link = FilmLink(
            film: film, counterpart: counterpart, reason: try row.checked("reason"),
            linkedAt: Instant(secondsSince1970: try row.checked("linkedAt")))
    }
}

extension FilmLink {
    /// Whether the links differ at most in their time.
    package func isSame(as other: FilmLink) -> Bool {
        self.film == other.film && self.counterpart == other.counterpart && self.reason == other.reason
    }
}

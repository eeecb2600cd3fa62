import BoundedCache
package import MovieDomain
import MovieLibrary
import Synchronization

/// Links between ids of the same film in PostgreSQL, like `SQLiteFilmLinks`. Nodes see others' links within a minute.
package final class PostgresFilmLinks: FilmLinkRepository {
    /// Maximum number of links, `100,000`; the oldest are evicted, and found again when their films are requested.
    package static let defaultLimit = 100_000
    /// Maximum number of cached ids, most of them without links.
    private static let cacheLimit = 8192
    /// The lifetime of cached links, in seconds.
    static let cacheSeconds: Int64 = 60

    private struct Entry: Sendable {
        let links: [FilmLink]
        let expiresAt: Int64
    }

    private struct State {
        var cache = BoundedCache<MovieID, Entry>(countLimit: PostgresFilmLinks.cacheLimit)
        /// Rows read before a change must not be cached after it.
        var changeCount = 0
    }

    private let library: PostgresLibrary
    private let limit: Int
    private let counting = CountingInterval()
    private let now: @Sendable () -> Instant
    /// The lock is held for O(1) per id.
    private let state = Mutex(State())

    package init(
        _ library: PostgresLibrary, limit: Int = PostgresFilmLinks.defaultLimit, now: @escaping @Sendable () -> Instant
    ) {
        self.library = library
        self.limit = max(1, limit)
        self.now = now
    }

    /// Uses the cache for recently requested ids.
    package func links(of ids: [MovieID]) async throws -> [FilmLink] {
        let now = self.now().secondsSince1970
        let (cache, changeCount) = self.state.withLock { ($0.cache, $0.changeCount) }
        var links: Set<FilmLink> = []
        var missing: [MovieID] = []
        for id in ids {
            if let known = cache.value(for: id), now < known.expiresAt {
                links.formUnion(known.links)
            } else {
                missing.append(id)
            }
        }
        if !missing.isEmpty {
            let found = try await self.read(missing)
            self.state.withLock { state in
                guard state.changeCount == changeCount else { return }
                for id in missing {
                    state.cache.insert(Entry(links: found[id] ?? [], expiresAt: now + Self.cacheSeconds), for: id)
                }
            }
            for group in found.values { links.formUnion(group) }
        }
        return Array(links)
    }

    /// Stores a link, and removes the film from lists that already contain it under another id.
    package func keep(_ link: FilmLink) async throws {
        if let known = try await self.link(of: link.film), known.isSame(as: link) { return }
        let (isCountingDue, limit) = (self.counting.isDue(), self.limit)
        // Also after a failure, since the commit may have taken effect.
        defer {
            self.state.withLock { state in
                state.changeCount += 1
                state.cache = State().cache
            }
        }
        try await self.library.write(.supplementary) { connection in
            _ = try connection.execute(
                """
                INSERT INTO film_link (film, counterpart, reason, linked_at) VALUES ($1, $2, $3, $4)
                ON CONFLICT (film) DO UPDATE SET
                    sequence = DEFAULT, counterpart = excluded.counterpart, reason = excluded.reason,
                    linked_at = excluded.linked_at
                """,
                [
                    .text(link.film.description), .text(link.counterpart.description), .text(link.reason),
                    .integer(link.linkedAt.secondsSince1970),
                ])
            for list in StoredList.allCases { try Self.merge(connection, link, in: list.postgresTable) }
            if isCountingDue { try connection.evictOldest(of: "film_link", above: limit) }
        }
    }

    private func read(_ ids: [MovieID]) async throws -> [MovieID: [FilmLink]] {
        let list = PostgresValue.list(of: ids)
        let rows = try await self.library.read(.supplementary) { connection in
            try connection.execute(
                """
                SELECT asked.film, link.film, link.counterpart, link.reason, link.linked_at
                FROM jsonb_array_elements_text($1::jsonb) AS asked (film) JOIN film_link AS link
                ON link.counterpart =
                    coalesce((SELECT counterpart FROM film_link WHERE film = asked.film), asked.film)
                """, [list]
            ).rows
        }
        var found: [MovieID: [FilmLink]] = [:]
        for row in rows {
            guard let asked = row.text(0).flatMap({ MovieID($0) }), let film = row.text(1).flatMap({ MovieID($0) }),
                let counterpart = row.text(2).flatMap({ MovieID($0) }), let linkedAt = row.integer(4)
            else { continue }
            found[asked, default: []].append(
                FilmLink(
                    film: film, counterpart: counterpart, reason: row.text(3) ?? "",
                    linkedAt: Instant(secondsSince1970: linkedAt)))
        }
        return found
    }

    /// Merges two entries of one owner that were added before the films were linked.
    private static func merge(_ connection: PostgresConnection, _ link: FilmLink, in table: String) throws {
        _ = try connection.execute(
            """
            DELETE FROM \(table) AS own WHERE own.movie = $1
                AND (own.movie LIKE 'kobis:%' OR own.movie LIKE 'kmdb:%')
                AND EXISTS (
                    SELECT 1 FROM \(table) AS other
                    WHERE other.owner = own.owner AND other.movie <> $1 AND other.movie IN (
                        SELECT $2::text UNION ALL SELECT film FROM film_link WHERE counterpart = $2::text))
            """, [.text(link.film.description), .text(link.counterpart.description)])
    }
}

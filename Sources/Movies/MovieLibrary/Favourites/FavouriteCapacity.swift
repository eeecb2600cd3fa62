import GRDB
package import MovieDomain
import RebuildableDatabase
import Synchronization

/// Limits the total number of films in a list.
final class FavouriteCapacity: Sendable {
    /// Maximum number of films evicted by one insertion.
    private static let batch = 1000
    /// The number of insertions rejected between two unsuccessful searches for evictable films, which scan all rows.
    static let refusals = 1000

    private let list: StoredList
    private let limit: Int
    private let refusalsLeft = Atomic<Int>(0)

    init(_ list: StoredList, limit: Int) {
        self.list = list
        self.limit = limit
    }

    /// Makes room for one film: evicts films of devices and local accounts without a session.
    ///
    /// - Throws: `StorageFailure` if there are none, `DatabaseError`.
    func make(in db: Database) throws {
        guard try self.isFull(db) else { return }
        if self.refusalsLeft.load(ordering: .relaxed) > 0 {
            self.refusalsLeft.subtract(1, ordering: .relaxed)
        } else {
            let table = self.list.rawValue
            try db.execute(
                sql: """
                    DELETE FROM \(table) WHERE sequence IN (
                        SELECT sequence FROM \(table)
                        WHERE (owner GLOB 'device:*' OR owner GLOB 'sample:*')
                            AND NOT EXISTS (SELECT 1 FROM session WHERE session.owner = \(table).owner)
                            AND owner NOT IN (SELECT 'device:' || device FROM session WHERE device IS NOT NULL)
                        LIMIT ?)
                    """, arguments: [Self.batch])
            guard try self.isFull(db) else { return }
            self.refusalsLeft.store(Self.refusals, ordering: .relaxed)
        }
        throw StorageFailure(reason: "the limit of \(self.limit) \(self.list.words) is reached")
    }

    private func isFull(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT total FROM \(self.list.countTable)") ?? 0 >= self.limit
    }
}

/// Limits the age of snapshots of films of The Movie Database, which its terms limit to six months: an expired snapshot
/// is reduced to id, title and year until the film is added again.
package final class SnapshotExpiry: Sendable {
    /// The maximum age, in seconds: 180 days.
    package static let limit: Int64 = 180 * 86_400
    /// The time between two sweeps, in seconds.
    static let sweepSeconds: Int64 = 3600
    /// Maximum number of rows in a sweep.
    package static let batch = 500

    private let list: StoredList
    private let nextSweep = Mutex<Int64>(.min)

    package init(_ list: StoredList) {
        self.list = list
    }

    package static func isOver(_ id: MovieID, takenAt: Int64?, at now: Instant) -> Bool {
        guard id.source == .tmdb, let takenAt else { return false }
        return takenAt <= now.secondsSince1970 - Self.limit
    }

    /// Whether to sweep; true for only one caller.
    package func isDue(at now: Instant) -> Bool {
        self.nextSweep.withLock { next in
            guard now.secondsSince1970 >= next else { return false }
            next = now.secondsSince1970 + Self.sweepSeconds
            return true
        }
    }

    func sweep(_ db: Database, at now: Instant) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT sequence, snapshot FROM \(self.list.rawValue)
                WHERE movie GLOB 'tmdb:*' AND snapshotAt IS NOT NULL AND snapshotAt <= ?
                ORDER BY snapshotAt LIMIT ?
                """, arguments: [now.secondsSince1970 - Self.limit, Self.batch])
        for row in rows {
            // Discards an unreadable snapshot.
            let text = try? row.checked("snapshot", as: String.self)
            let name = try text.flatMap { MovieSnapshot(json: $0) }?.nameOnly.json() ?? "{}"
            try db.execute(
                sql: "UPDATE \(self.list.rawValue) SET snapshot = ?, snapshotAt = NULL WHERE sequence = ?",
                arguments: [name, try row.checked("sequence", as: Int64.self)])
        }
        self.swept(rows.count)
    }

    /// Records the number of rows in a sweep: after a full batch, there may be more.
    package func swept(_ count: Int) {
        if count == Self.batch { self.nextSweep.withLock { $0 = .min } }
    }
}

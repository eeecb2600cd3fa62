import GRDB
import MovieDomain
import Synchronization

/// Bounds how many favourites there are in all.
final class FavouriteCapacity: Sendable {
    /// The most that go when one comes.
    private static let batch = 1000
    /// How many are refused at once when there was nothing to remove: looking through all of them takes long.
    static let refusals = 1000

    private let limit: Int
    private let refusalsLeft = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Makes room for one more where there is none: favourites go that belong to devices and local accounts without a
    /// session, which nobody can reach.
    ///
    /// - Throws: `StorageFailure` when there are none of those, `DatabaseError`.
    func make(in db: Database) throws {
        guard try self.isFull(db) else { return }
        if self.refusalsLeft.load(ordering: .relaxed) > 0 {
            self.refusalsLeft.subtract(1, ordering: .relaxed)
        } else {
            try db.execute(
                sql: """
                    DELETE FROM favourite WHERE sequence IN (
                        SELECT sequence FROM favourite
                        WHERE (owner GLOB 'device:*' OR owner GLOB 'sample:*')
                            AND NOT EXISTS (SELECT 1 FROM session WHERE session.owner = favourite.owner)
                        LIMIT ?)
                    """, arguments: [Self.batch])
            guard try self.isFull(db) else { return }
            self.refusalsLeft.store(Self.refusals, ordering: .relaxed)
        }
        throw StorageFailure(reason: "there are \(self.limit) favourites, and no more may be")
    }

    private func isFull(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT total FROM favouriteCount") ?? 0 >= self.limit
    }
}

/// Bounds for how long more than a name is kept of a film of The Movie Database, whose terms allow six months: so long as a
/// favourite is not put again, what else was known of it goes.
final class SnapshotExpiry: Sendable {
    /// For how long it is kept, in seconds: 180 days.
    static let limit: Int64 = 180 * 86_400
    /// From one search for older ones to the next, in seconds.
    static let sweepSeconds: Int64 = 3600
    /// The most that are found at once.
    static let batch = 500

    private let nextSweep = Mutex<Int64>(.min)

    /// Whether more than a name may be shown.
    static func isOver(_ id: MovieID, takenAt: Int64?, at now: Instant) -> Bool {
        guard id.source == .tmdb, let takenAt else { return false }
        return now.secondsSince1970 - takenAt >= Self.limit
    }

    /// Whether older ones should be looked for; true for one who asks.
    func isDue(at now: Instant) -> Bool {
        self.nextSweep.withLock { next in
            guard now.secondsSince1970 >= next else { return false }
            next = now.secondsSince1970 + Self.sweepSeconds
            return true
        }
    }

    /// Forgets what is too old on disk, too.
    func sweep(_ db: Database, at now: Instant) throws {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT sequence, snapshot FROM favourite
                WHERE movie GLOB 'tmdb:*' AND snapshotAt IS NOT NULL AND snapshotAt <= ?
                ORDER BY snapshotAt LIMIT ?
                """, arguments: [now.secondsSince1970 - Self.limit, Self.batch])
        for row in rows {
            let text: String = row["snapshot"]
            // One that cannot be read is none either way.
            let name = try MovieSnapshot(json: text)?.nameOnly.json() ?? "{}"
            try db.execute(
                sql: "UPDATE favourite SET snapshot = ?, snapshotAt = NULL WHERE sequence = ?",
                arguments: [name, row["sequence"] as Int64])
        }
        // There may be more.
        if rows.count == Self.batch { self.nextSweep.withLock { $0 = .min } }
    }
}

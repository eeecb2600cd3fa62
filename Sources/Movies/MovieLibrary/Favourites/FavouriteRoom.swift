import GRDB
import MovieDomain
import Synchronization

/// Bounds how many favourites there are in all.
final class FavouriteRoom: Sendable {
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

import MovieDomain
import MovieLibrary
import Synchronization

/// Limits the total number of films in a list. The films are counted only periodically, since a counter would make all
/// nodes wait for one row: the limit may be exceeded by ``countingInterval`` per node.
package final class PostgresListCapacity: Sendable {
    package static let defaultLimit = 1_000_000
    /// Insertions between two counts of the rows.
    static let countingInterval = 1000
    /// Maximum number of films evicted at once.
    private static let batch = 2000

    private let list: StoredList
    private let limit: Int
    private let counting = CountingInterval(PostgresListCapacity.countingInterval)
    private let isKnownFull = Mutex(false)

    init(_ list: StoredList, limit: Int) {
        self.list = list
        self.limit = max(1, limit)
    }

    /// Makes room for one film, if a count is due: evicts films of devices and guests without a session.
    ///
    /// - Throws: `StorageFailure` while the list is full and has no such films; `PostgresFailure`.
    func make(_ connection: PostgresConnection) throws {
        if self.counting.isDue() {
            var isFull = try self.isFull(connection)
            if isFull {
                try self.evict(connection)
                isFull = try self.isFull(connection)
            }
            self.isKnownFull.withLock { $0 = isFull }
        }
        guard self.isKnownFull.withLock(\.self) else { return }
        throw StorageFailure(reason: "the limit of \(self.limit) \(self.list.words) is reached")
    }

    private func isFull(_ connection: PostgresConnection) throws -> Bool {
        try connection.execute("SELECT count(*) FROM \(self.list.postgresTable)").integer ?? 0 >= self.limit
    }

    private func evict(_ connection: PostgresConnection) throws {
        let table = self.list.postgresTable
        _ = try connection.execute(
            """
            DELETE FROM \(table) WHERE sequence IN (
                SELECT sequence FROM \(table) AS own
                WHERE (own.owner LIKE 'device:%' OR own.owner LIKE 'sample:%')
                    AND NOT EXISTS (SELECT 1 FROM session WHERE session.owner = own.owner)
                    AND NOT EXISTS (SELECT 1 FROM session WHERE 'device:' || session.device = own.owner)
                LIMIT $1)
            """, [.integer(Int64(Self.batch))])
    }
}

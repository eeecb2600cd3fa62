import MovieLibrary
import Synchronization

/// Makes a count due at the first insertion, then once per `interval` insertions. Safe to use from any thread.
final class CountingInterval: Sendable {
    private let interval: Int
    private let rest = Mutex(0)

    init(_ interval: Int = 1000) { self.interval = interval }

    func isDue() -> Bool {
        self.rest.withLock { rest in
            defer { rest = rest == 0 ? self.interval - 1 : rest - 1 }
            return rest == 0
        }
    }
}

extension PostgresConnection {
    /// Deletes the oldest rows of a table above a limit.
    func evictOldest(of table: String, above limit: Int) throws {
        let surplus = try (self.execute("SELECT count(*) FROM \(table)").integer ?? 0) - Int64(limit)
        guard surplus > 0 else { return }
        _ = try self.execute(
            "DELETE FROM \(table) WHERE sequence IN (SELECT sequence FROM \(table) ORDER BY sequence LIMIT $1)",
            [.integer(surplus)])
    }
}

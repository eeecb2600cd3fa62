import BoundedCache
import GRDB
import Synchronization

/// A cache of values read from one table, by key. Transactions of this process that change the table invalidate it; the
/// file belongs to one process.
struct RowCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        /// The number of changes before the value was read.
        let changeCount: Int
    }

    private let table: String
    private let changes: TableChanges
    private let entries: BoundedCache<Key, Entry>

    /// - Parameters:
    ///   - table: One of ``TableChanges/tables``.
    ///   - limit: Maximum number of keys; the least recently used ones are evicted.
    init(of table: String, _ changes: TableChanges, limit: Int) {
        self.table = table
        self.changes = changes
        self.entries = BoundedCache(countLimit: limit)
    }

    /// - Parameter read: Must begin reading after it is called. Returns `nil` for a value that must not be cached.
    func value(for key: Key, orRead read: () async throws -> Value?) async throws -> Value? {
        // Counted first: the value may be older than a change during the reading.
        let changeCount = self.changes.count(of: self.table)
        if let entry = self.entries.value(for: key), entry.changeCount == changeCount { return entry.value }
        guard let value = try await read() else {
            self.entries.remove(key)
            return nil
        }
        self.entries.insert(Entry(value: value, changeCount: changeCount), for: key)
        return value
    }
}

/// Counts the transactions that change the tables of sessions and lists, by any statement or trigger.
final class TableChanges: TransactionObserver, Sendable {
    static let tables = Set(["session"] + StoredList.allCases.map(\.rawValue))

    private struct State {
        var counts: [String: Int] = [:]
        /// The tables changed by the current transaction.
        var changed: Set<String> = []
    }

    private let state = Mutex(State())

    func count(of table: String) -> Int { self.state.withLock { $0.counts[table] ?? 0 } }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { Self.tables.contains(kind.tableName) }

    func databaseDidChange(with event: DatabaseEvent) {
        self.state.withLock { state in
            if !state.changed.contains(event.tableName) { state.changed.insert(event.tableName) }
        }
    }

    func databaseDidCommit(_ db: Database) { self.end() }

    /// A failed commit may have taken effect.
    func databaseDidRollback(_ db: Database) { self.end() }

    private func end() {
        self.state.withLock { state in
            for table in state.changed { state.counts[table, default: 0] += 1 }
            state.changed = []
        }
    }
}

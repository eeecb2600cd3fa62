import FoundationEssentials
package import GRDB
package import Logging
package import MovieDomain
package import RebuildableDatabase
import Synchronization

/// The SQLite database of the embedded films and of users' data: lists, sessions, local accounts, ratings.
///
/// Unlike the databases of caches, it is never replaced: a damaged file is an error.
package final class LibraryDatabase: Sendable {
    /// The outcome of the latest transactions.
    package struct State: Hashable, Sendable {
        package let isReadable: Bool
        package let isWritable: Bool

        package init(isReadable: Bool, isWritable: Bool) {
            self.isReadable = isReadable
            self.isWritable = isWritable
        }
    }

    package let writer: any DatabaseWriter
    package let health: LibraryHealth
    /// Rows that cannot be decoded. Reads omit them; a write that fails because of them deletes them.
    package let damage: DamagedRecords
    let changes = TableChanges()
    private let busyHandler: BusyHandler
    /// Connections for reads on the caller's thread, which never wait for locks; empty for a database in memory.
    private let readers: [Reader]

    /// The file was created by a newer version of the program, and has unknown tables.
    package struct NewerVersion: Error, CustomStringConvertible {
        let path: String
        let migrations: [String]

        package var description: String {
            let names = self.migrations.map { "\"\($0)\"" }.joined(separator: ", ")
            return "\(self.path) was made by a newer onesheet (unknown migrations: \(names)); "
                + "use that version, or choose another directory with --data-dir"
        }
    }

    /// Opens the database, and creates the file if it is missing.
    ///
    /// - Parameters:
    ///   - path: `nil` for a database in memory.
    ///   - logger: Logs failures of reads and writes.
    ///   - now: The current time, which limits how often failures are logged.
    ///   - busyHandler: Waits for the locks of other programs.
    /// - Throws: ``NewerVersion``, without changing the file; errors of SQLite.
    package init(
        path: String? = nil, logger: Logger = Logger(label: "onesheet"),
        now: @escaping @Sendable () -> Instant = LibraryDatabase.timeOfDay, busyHandler: BusyHandler = BusyHandler()
    ) throws {
        var configuration = Configuration()
        configuration.busyMode = busyHandler.mode
        self.writer = try path.map { try DatabasePool(path: $0, configuration: configuration) } ?? DatabaseQueue()
        // GRDB's `NORMAL` loses acknowledged changes in a power failure, even all since the last checkpoint.
        try self.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        self.busyHandler = busyHandler
        self.health = LibraryHealth(logger: logger, now: now)
        self.damage = DamagedRecords(of: "library", logger: logger)
        let unknown = try self.writer.read { try Self.migrator.appliedIdentifiers($0) }
            .subtracting(Self.migrator.migrations)
        guard unknown.isEmpty else {
            try self.writer.close()
            throw NewerVersion(path: path ?? "the library", migrations: unknown.sorted())
        }
        try Self.migrator.migrate(self.writer)
        self.writer.add(transactionObserver: self.changes)
        configuration.readonly = true
        configuration.busyMode = .immediateError
        self.readers =
            try path.map { path in
                try (0..<Self.readerCount).map { _ in
                    Reader(try DatabaseQueue(path: path, configuration: configuration))
                }
            } ?? []
        try self.repairSequences()
        try self.repairCounts()
    }

    /// Writes the log back into the file, and closes it; later calls throw.
    package func close() throws {
        self.health.close()
        for reader in self.readers { try reader.close() }
        try self.writer.checkpointAndClose()
    }

    /// A likely number of concurrent small reads; each takes some microseconds.
    private static let readerCount = 4

    /// The scope of a consistent view of the database.
    private enum Isolation {
        /// All statements of a read share one view.
        case transaction
        /// Each statement has its own view.
        case statement
    }

    private final class Reader: Sendable {
        /// `nil` after closing.
        private let connection: Mutex<DatabaseQueue?>

        init(_ connection: DatabaseQueue) {
            self.connection = Mutex(connection)
        }

        func close() throws {
            try self.connection.withLock { connection in
                try connection?.close()
                connection = nil
            }
        }

        /// - Returns: `nil` while another thread reads, and after closing.
        func readIfFree<Value: Sendable>(
            _ isolation: Isolation, _ body: (Database) throws -> Value
        ) throws -> Value? {
            try self.connection.withLockIfAvailable { connection in
                switch isolation {
                case .transaction: try connection?.read(body)
                case .statement: try connection?.unsafeRead(body)
                }
            } ?? nil
        }
    }

    package static let timeOfDay: @Sendable () -> Instant = {
        Instant(secondsSince1970: Int64(Date().timeIntervalSince1970))
    }

    /// The outcome of the latest transactions, without waiting.
    ///
    /// After a failure, this starts a probe, at most every ten seconds: it detects the end of a fault without requests.
    package var state: State {
        if self.health.isProbeDue() {
            Task {
                // `read` and `write` record the outcome.
                try? await self.read { db in
                    for table in ["favourite", "watchlistFilm", "session", "localAccount"] {
                        _ = try Row.fetchOne(db, sql: "SELECT * FROM \(table) LIMIT 1")
                    }
                }
                try? await self.write { db in try db.execute(sql: "UPDATE favouriteCount SET total = total") }
            }
        }
        return State(isReadable: self.health.works(.reading), isWritable: self.health.works(.writing))
    }
}

extension LibraryDatabase {
    /// Executes a read transaction.
    ///
    /// - Parameter body: Reads a few rows; called again if another program held a lock.
    /// - Throws: `StorageFailure` for errors of SQLite, `CancellationError`, and other errors of `body`.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await self.read(.transaction, body)
    }

    /// As ``read(_:)``, but without a transaction, which takes longer than a statement that finds a few rows.
    ///
    /// - Parameter body: Executes one statement.
    package func readByOneStatement<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await self.read(.statement, body)
    }

    private func read<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await self.recording(.reading) {
            try Task.checkCancellation()
            if let value = try self.readAtOnce(isolation, body) { return value }
            return try await self.writer.read(body)
        }
    }

    /// Reads on the caller's thread: two thread switches take longer than most reads.
    ///
    /// - Returns: `nil` if the read would have to wait.
    private func readAtOnce<Value: Sendable>(
        _ isolation: Isolation, _ body: (Database) throws -> Value
    ) throws -> Value? {
        for reader in self.readers {
            do {
                if let value = try reader.readIfFree(isolation, body) { return value }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                return nil
            }
        }
        return nil
    }

    /// Executes a write transaction atomically; changes nothing if the task is cancelled before its end.
    ///
    /// - Parameter body: Executed again without ``MistypedRows`` if it failed because of them.
    /// - Throws: `StorageFailure` for errors of SQLite, `CancellationError`, and other errors of `body`.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await self.recording(.writing) {
            do {
                return try await self.writer.write(body)
            } catch  where MistypedRows.areCause(of: error) {
                let damage = self.damage
                try await self.writer.write { try MistypedRows.delete(from: $0, damage) }
                return try await self.writer.write(body)
            }
        }
    }

    private func recording<Value: Sendable>(
        _ operation: LibraryHealth.Operation, _ transaction: () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await transaction()
            if operation == .writing { self.busyHandler.succeeded() }
            self.health.succeeded(operation)
            return value
        } catch let error as DatabaseError {
            self.health.failed(operation, error)
            throw StorageFailure(reason: "\(error)")
        } catch let failure as StorageFailure {
            self.health.failed(.adding, failure)
            throw failure
        }
    }
}

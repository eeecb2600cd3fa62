import Dispatch
package import GRDB
import Glibc
package import Logging
import Synchronization

/// An SQLite file with replaceable content: it is opened with its migrations, and replaced by an empty file if it turns
/// out to be damaged, when opened or in use.
///
/// While it is closed, is being replaced or could not be opened, every use throws ``DatabaseNotOpen`` at once instead
/// of waiting. With GRDB's write-ahead log and `synchronous` normal, a power failure loses the last changes.
package final class RebuildableDatabase: Sendable {
    private struct State {
        var writer: (any DatabaseWriter)?
        var rebuildCount = 0
        var isClosed = false
    }

    private let path: String?
    private let configuration: Configuration
    private let schema: DatabaseSchema
    private let logger: Logger
    private let rebuildMessage: Logger.Message
    /// Rows that cannot be decoded; users of the database record them.
    package let damage: DamagedRecords
    private let state = Mutex(State())
    /// Locked while a database is opened or replaced.
    private let opening = Mutex(())

    /// Creates the database without opening it.
    /// - Parameters:
    ///   - path: The file, beside which SQLite puts `-wal` and `-shm`; `nil` for a database in memory.
    ///   - configuration: GRDB's configuration; by default it has five readers and does not wait for other processes.
    ///   - store: The store's name in the log of damaged rows and in their metric.
    ///   - rebuildMessage: The warning logged when the file is replaced, with `error.message`.
    package init(
        path: String?, configuration: Configuration = Configuration(), schema: DatabaseSchema, store: String,
        logger: Logger, rebuildMessage: Logger.Message
    ) {
        self.path = path
        self.configuration = configuration
        self.schema = schema
        self.logger = logger
        self.rebuildMessage = rebuildMessage
        self.damage = DamagedRecords(of: store, logger: logger)
    }

    /// Opens the file. Creates it if it is missing; replaces it if it is damaged, or if
    /// ``DatabaseSchema/NewerVersionPolicy/rebuild`` applies. Has no effect if it is open or was closed.
    ///
    /// - Returns: Whether this call opened it.
    /// - Throws: ``DatabaseSchema/NewerVersion``, `DatabaseError`. The call may be repeated.
    @discardableResult
    package func open() throws -> Bool {
        try self.opening.withLock { _ in
            guard self.state.withLock({ $0.writer == nil && !$0.isClosed }) else { return false }
            do {
                try self.connect()
            } catch  where Self.isDamage(error) || (error is DatabaseSchema.NewerVersion && self.schema.isReplaceable) {
                self.discard(because: error)
                try self.connect()
            }
            return true
        }
    }

    /// The number of replacements since the start. Each one lost the data of the previous file.
    package var rebuildCount: Int { self.state.withLock { $0.rebuildCount } }

    /// Uses the database. If ``MistypedRows`` make `body` fail, deletes them and retries; if that reveals other damage,
    /// replaces the file and retries.
    /// - Parameter body: Reads and writes; runs up to three times.
    /// - Throws: ``DatabaseNotOpen``, `DatabaseError`, and the error of `body`.
    package func perform<Value>(_ body: (any DatabaseWriter) throws -> Value) throws -> Value {
        let writer = try self.writer
        do {
            do {
                return try body(writer)
            } catch  where MistypedRows.areCause(of: error) {
                try writer.write { try MistypedRows.delete(from: $0, self.damage) }
                return try body(writer)
            }
        } catch  where Self.isDamage(error) || MistypedRows.areCause(of: error) {
            try self.replace(writer, because: error)
            return try body(self.writer)
        }
    }

    /// Uses the database. If ``MistypedRows`` make `body` fail, deletes them and retries; if that reveals other damage,
    /// replaces the file and retries.
    /// - Parameter body: Reads and writes; runs up to three times.
    /// - Throws: ``DatabaseNotOpen``, `DatabaseError`, and the error of `body`.
    package func perform<Value: Sendable>(
        _ body: @Sendable (any DatabaseWriter) async throws -> Value
    ) async throws -> Value {
        let writer = try self.writer
        do {
            do {
                return try await body(writer)
            } catch  where MistypedRows.areCause(of: error) {
                let damage = self.damage
                try await writer.write { try MistypedRows.delete(from: $0, damage) }
                return try await body(writer)
            }
        } catch  where Self.isDamage(error) || MistypedRows.areCause(of: error) {
            try await self.replaceOnOwnThread(writer, because: error)
            return try await body(self.writer)
        }
    }

    /// Writes the log back into the file and closes it permanently.
    package func close() throws {
        let writer = self.state.withLock { state in
            state.isClosed = true
            return state.writer.take()
        }
        try writer?.checkpointAndClose()
    }

    /// Whether an error means that the file or its tables are damaged or gone.
    package static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        // The SQL is fixed, so `SQLITE_ERROR` means that the tables differ. `SQLITE_READONLY_DBMOVED` means that the
        // file was moved or deleted: its changes would be lost when it is closed.
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode.primaryResultCode)
            || error.extendedResultCode == .SQLITE_READONLY_DBMOVED
    }

    private var writer: any DatabaseWriter {
        get throws {
            guard let writer = self.state.withLock({ $0.writer }) else { throw DatabaseNotOpen() }
            return writer
        }
    }

    /// Replaces the file, if this is the first caller that met the damage. During the replacement, accesses to the
    /// database throw ``DatabaseNotOpen``. Blocks until all users of the damaged database have finished.
    private func replace(_ damaged: any DatabaseWriter, because error: any Error) throws {
        let isFirst = self.state.withLock { state in
            guard state.writer === damaged else { return false }
            state.writer = nil
            return true
        }
        guard isFirst else { return }
        try self.opening.withLock { _ in
            do {
                try damaged.close()
            } catch {
                // The remaining connections are closed when their last user ends; SQLite does not touch the new files
                // then.
                self.logger.debug("Damaged database not closed", metadata: ["error.message": "\(error)"])
            }
            self.discard(because: error)
            try self.connect()
        }
    }

    /// As ``replace(_:because:)``, on a thread that may block: it waits for asynchronous users, which need the threads
    /// of tasks.
    private func replaceOnOwnThread(_ damaged: any DatabaseWriter, because error: any Error) async throws {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try self.replace(damaged, because: error) })
            }
        }
    }

    private func connect() throws {
        let writer: any DatabaseWriter =
            if let path = self.path {
                try DatabasePool(path: path, configuration: self.configuration)
            } else {
                try DatabaseQueue(configuration: self.configuration)
            }
        do {
            try self.schema.prepare(writer)
        } catch {
            try writer.close()
            throw error
        }
        let isClosed = self.state.withLock { state in
            guard !state.isClosed else { return true }
            state.writer = writer
            return false
        }
        if isClosed { try writer.close() }
    }

    private func discard(because error: any Error) {
        self.logger.warning(self.rebuildMessage, metadata: ["error.message": "\(error)"])
        // If the damaged file cannot be removed, opening it fails again and reports the error.
        if let path = self.path { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
        self.state.withLock { $0.rebuildCount += 1 }
    }
}

/// The database could not be opened, is being replaced, or was closed.
package struct DatabaseNotOpen: Error, CustomStringConvertible {
    package var description: String { "the database is not open" }
}

extension DatabaseWriter {
    /// Writes the log back into the file, truncates it, and closes all connections even if that fails.
    package func checkpointAndClose() throws {
        let outcome = Result {
            try self.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        }
        try self.close()
        try outcome.get()
    }
}

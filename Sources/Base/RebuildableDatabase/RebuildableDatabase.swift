import Dispatch
package import GRDB
import Glibc
package import Logging
import Synchronization

/// An SQLite file with content that can be rebuilt or done without: opened with its migrations, and replaced by an
/// empty one when it turns out to be damaged, at the opening or in use.
///
/// While it could not be opened, is just being replaced, or was closed, every use throws ``DatabaseNotOpen`` at once
/// instead of waiting. With GRDB's write-ahead log and `synchronous` normal, a power failure loses the last changes.
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
    /// Rows that cannot be decoded; users of the database record those that they meet.
    package let damage: DamagedRecords
    private let state = Mutex(State())
    /// Held while a database is opened or replaced.
    private let opening = Mutex(())

    /// Opens nothing yet.
    /// - Parameters:
    ///   - path: The file, beside which SQLite keeps `-wal` and `-shm`; nil for a database in memory.
    ///   - configuration: GRDB's; its defaults are five readers and no waiting for other processes.
    ///   - store: Its name in the log of damaged rows, and in their metric.
    ///   - rebuildMessage: The warning that is logged when the file is replaced, with `error.message`.
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

    /// Opens the file, which is created when it is missing and replaced when it is damaged or when
    /// ``DatabaseSchema/NewerVersionPolicy/rebuild`` applies. Does nothing when it is open, or closed for good.
    ///
    /// - Returns: Whether this call opened it.
    /// - Throws: ``DatabaseSchema/NewerVersion``, `DatabaseError`. It may be tried again later.
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

    /// How often the file was replaced since the start: what was read from or written to earlier ones is gone.
    package var rebuildCount: Int { self.state.withLock { $0.rebuildCount } }

    /// Uses the database; once more without ``MistypedRows`` when it failed for them, and once more on an empty one when
    /// that reveals other damage.
    /// - Parameter body: Reads and writes; may run three times.
    /// - Throws: ``DatabaseNotOpen``, `DatabaseError`, and what `body` throws.
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

    /// Uses the database; once more without ``MistypedRows`` when it failed for them, and once more on an empty one when
    /// that reveals other damage.
    /// - Parameter body: Reads and writes; may run three times.
    /// - Throws: ``DatabaseNotOpen``, `DatabaseError`, and what `body` throws.
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

    /// Writes the log back into the file, and closes it for good.
    package func close() throws {
        let writer = self.state.withLock { state in
            state.isClosed = true
            return state.writer.take()
        }
        try writer?.checkpointAndClose()
    }

    /// Whether an error means that the file, or its tables, are not what they were.
    package static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        // The SQL is fixed, so an error of it means that the tables are different. Of a file that was moved or deleted,
        // changes are lost when it is closed.
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode.primaryResultCode)
            || error.extendedResultCode == .SQLITE_READONLY_DBMOVED
    }

    private var writer: any DatabaseWriter {
        get throws {
            guard let writer = self.state.withLock({ $0.writer }) else { throw DatabaseNotOpen() }
            return writer
        }
    }

    /// Replaces the file, for the first of the users that met its damage; the others get ``DatabaseNotOpen`` until that
    /// is done. Blocks until all users of the damaged database are done.
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
                // The last connection ends with its last user; SQLite leaves the new files alone then.
                self.logger.debug("Damaged database not closed", metadata: ["error.message": "\(error)"])
            }
            self.discard(because: error)
            try self.connect()
        }
    }

    /// As ``replace(_:because:)``, on a thread that may block: users that read asynchronously need those of tasks to
    /// end.
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
        // A file that cannot be removed fails to open again, which is reported there.
        if let path = self.path { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
        self.state.withLock { $0.rebuildCount += 1 }
    }
}

/// There is no database at the moment: it could not be opened, is being replaced, or was closed.
package struct DatabaseNotOpen: Error, CustomStringConvertible {
    package var description: String { "the database is not open" }
}

extension DatabaseWriter {
    /// Writes the log back into the file, empties it, and closes all connections, even if the former fails.
    package func checkpointAndClose() throws {
        let outcome = Result {
            try self.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        }
        try self.close()
        try outcome.get()
    }
}

import FoundationEssentials
import GRDB
import Synchronization

/// Answers of upstreams in a SQLite file of their own, which may be deleted at any time: nothing is lost but time.
///
/// A damaged file, or one of another version, is made anew. Nothing that is secret is in it: answers are kept under paths and parameters without
/// keys and sessions.
///
/// Under the lock: the database in use. It is held while a damaged one is replaced.
public final class AnswerStore: Sendable {
    /// What is kept at most.
    public struct Limits: Sendable, Hashable {
        /// Of all answers together, `64 MiB` by default; those used longest ago make room, in batches.
        public var bytes = 64 << 20
        /// Of one answer, `4 MiB` by default; a larger one is not kept.
        public var answerBytes = 4 << 20

        /// The defaults.
        public init() {}
    }

    /// What the limits are.
    public let limits: Limits
    let path: String?
    let state: Mutex<State>
    /// Of answers kept since their sum was last looked at.
    let addedBytes: Mutex<Int>

    struct State {
        var database: any DatabaseWriter
        var isClosed = false
    }

    /// Opens the file, or makes it.
    ///
    /// - Throws: `DatabaseError` when it cannot be made either.
    public init(path: String, limits: Limits = Limits()) throws {
        self.limits = limits
        self.path = path
        self.state = Mutex(State(database: try Self.open(path)))
        // As if much had been added: the first answer has the sum looked at.
        self.addedBytes = Mutex(limits.bytes)
    }

    /// One in memory.
    ///
    /// - Throws: `DatabaseError`.
    public init(limits: Limits = Limits()) throws {
        self.limits = limits
        self.path = nil
        self.state = Mutex(State(database: try AnswerTables.prepared(DatabaseQueue())))
        self.addedBytes = Mutex(0)
    }

    /// Writes what is in the log into the database, and ends; whoever still uses it gets errors.
    ///
    /// - Throws: `DatabaseError`.
    public func close() throws {
        let database = self.state.withLock { state in
            state.isClosed = true
            return state.database
        }
        let outcome = Result { try database.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) } }
        try database.close()
        try outcome.get()
    }

    /// Uses the database; once more, when it was damaged and is made anew.
    func attempt<Value: Sendable>(
        _ body: @Sendable (any DatabaseWriter) async throws -> Value
    ) async throws -> Value {
        let database = self.state.withLock { $0.database }
        do {
            return try await body(database)
        } catch let error as DatabaseError where Self.isDamage(error) {
            return try await body(try self.replace(database))
        }
    }

    private static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        // An error of the SQL, which is always the same, means that the tables are not what they were.
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode.primaryResultCode)
            || error.extendedResultCode == .SQLITE_READONLY_DBMOVED
    }

    private func replace(_ damaged: any DatabaseWriter) throws -> any DatabaseWriter {
        try self.state.withLock { state in
            // Somebody else may have met the same damage.
            guard state.database === damaged, !state.isClosed, let path = self.path else { return state.database }
            // Its last connection ends with its last user; SQLite leaves the new files alone then.
            do { try damaged.close() } catch is DatabaseError {}
            try Self.remove(path)
            state.database = try AnswerTables.prepared(DatabasePool(path: path))
            return state.database
        }
    }

    private static func open(_ path: String) throws -> any DatabaseWriter {
        do {
            return try AnswerTables.prepared(DatabasePool(path: path))
        } catch  where Self.isDamage(error) || error is AnswerTables.OtherVersion {
            try Self.remove(path)
            return try AnswerTables.prepared(DatabasePool(path: path))
        }
    }

    private static func remove(_ path: String) throws {
        for file in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
    }
}

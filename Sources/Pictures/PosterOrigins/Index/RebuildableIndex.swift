import GRDB
import Logging
import RebuildableDatabase
import Synchronization

/// The index of originals: rebuilt from the files if it is damaged, bypassed while it is unavailable.
///
/// No request fails because of it: an unavailable index returns `nil`, and the caller uses the files alone.
final class RebuildableIndex: Sendable {
    private struct State {
        /// Whether rows may be missing.
        var isIncomplete = true
        /// The database's count at the last call of ``takeIncompleteness()``.
        var rebuildCount = 0
    }

    private let database: RebuildableDatabase
    private let faults: FaultLog
    private let state = Mutex(State())

    /// Opens or creates the index. If that fails for lack of space, a later ``reopenIfNeeded()`` opens it.
    /// - Throws: ``DataDirectory/Failure`` if it has a newer version or is not writable.
    init(
        path: String, logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64
    ) throws(DataDirectory.Failure) {
        self.database = RebuildableDatabase(
            path: path, configuration: OriginalIndex.configuration, schema: OriginalIndex.schema, store: "originals",
            logger: logger,
            rebuildMessage: "The index of originals is damaged and is rebuilt from the files")
        self.faults = FaultLog(
            "The index of originals cannot be used; the store works without it", logger: logger,
            secondsSince1970: secondsSince1970)
        do {
            try self.database.open()
        } catch let newer as DatabaseSchema.NewerVersion {
            throw .newer(path: path, version: newer.version, newestKnown: OriginalIndex.schema.version)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(error.resultCode.primaryResultCode)
        {
            throw .unusableIndex(path: path, reason: error.message ?? "\(error.resultCode)")
        } catch {
            self.faults.begin(error)
        }
    }

    /// Whether rows may be missing since the last call.
    func takeIncompleteness() -> Bool {
        self.state.withLock { state in
            let rebuildCount = self.database.rebuildCount
            defer { state = State(isIncomplete: false, rebuildCount: rebuildCount) }
            return state.isIncomplete || state.rebuildCount != rebuildCount
        }
    }

    /// Schedules another comparison of files and index.
    func markIncomplete() {
        self.state.withLock { $0.isIncomplete = true }
    }

    /// Calls `body` with the index.
    /// - Returns: `nil` if that failed, which has been logged.
    func attempt<Value>(_ body: (OriginalIndex) throws -> Value) -> Value? {
        do {
            let damageCount = self.database.damage.count
            let value = try self.database.perform { writer in
                try body(OriginalIndex(database: writer, damage: self.database.damage))
            }
            self.faults.end()
            // Deleted rows are restored from their files.
            if self.database.damage.count > damageCount { self.markIncomplete() }
            return value
        } catch is DatabaseNotOpen {
            // Logged when it could not be opened.
        } catch {
            self.faults.begin(error)
        }
        self.markIncomplete()
        return nil
    }

    /// Retries to open an index that could not be opened.
    func reopenIfNeeded() {
        do {
            if try self.database.open() { self.markIncomplete() }
        } catch {
            self.faults.begin(error)
        }
    }

    /// Checkpoints the write-ahead log and closes the index permanently.
    func close() {
        do {
            try self.database.close()
        } catch {
            self.faults.begin(error)
        }
    }
}

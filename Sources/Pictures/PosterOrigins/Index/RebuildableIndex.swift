import GRDB
import Logging
import RebuildableDatabase
import Synchronization

/// The index of originals, rebuilt from the files when it is damaged and done without while it cannot be used.
///
/// No request fails because of it: a use that is not possible returns nil, and the caller uses the files alone.
final class RebuildableIndex: Sendable {
    private struct State {
        /// Whether rows may be missing.
        var isIncomplete = true
        /// Of the database, at the last call of ``takeIncompleteness()``.
        var rebuildCount = 0
    }

    private let database: RebuildableDatabase
    private let damage: DamagedRecords
    private let faults: FaultLog
    private let state = Mutex(State())

    /// Opens the index, or creates it. When that fails for want of space, it is opened by a later ``reopenIfNeeded()``.
    /// - Throws: ``DataDirectory/Failure`` when it is of a newer version, or may not be written.
    init(
        path: String, logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64
    ) throws(DataDirectory.Failure) {
        self.database = RebuildableDatabase(
            path: path, configuration: OriginalIndex.configuration, schema: OriginalIndex.schema, logger: logger,
            rebuildMessage: "The index of originals is damaged and is made anew from the files")
        self.damage = DamagedRecords(of: "originals", logger: logger)
        self.faults = FaultLog(
            "The index of originals cannot be used; the files are used without it", logger: logger,
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

    /// Whether rows may be missing; false from then on, until some may be missing again.
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

    /// Uses the index.
    /// - Returns: nil when that was not possible, which was logged.
    func attempt<Value>(_ body: (OriginalIndex) throws -> Value) -> Value? {
        do {
            let damageCount = self.damage.count
            let value = try self.database.perform { writer in
                try body(OriginalIndex(database: writer, damage: self.damage))
            }
            self.faults.end()
            // Rows that were deleted are made again from their files.
            if self.damage.count > damageCount { self.markIncomplete() }
            return value
        } catch is DatabaseNotOpen {
            // Logged when it could not be opened.
        } catch {
            self.faults.begin(error)
        }
        self.markIncomplete()
        return nil
    }

    /// Tries again to open an index that could not be opened.
    func reopenIfNeeded() {
        do {
            if try self.database.open() { self.markIncomplete() }
        } catch {
            self.faults.begin(error)
        }
    }

    /// Writes its log back into the file, and closes it for good.
    func close() {
        do {
            try self.database.close()
        } catch {
            self.faults.begin(error)
        }
    }
}

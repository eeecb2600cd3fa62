import GRDB
import Glibc
import Logging
import PosterPipeline
import Synchronization

/// The index for as long as there is one. A damaged one is deleted and made anew; one that cannot be used is done
/// without, until it can.
///
/// Nothing fails because of it: whoever asks gets nil, and goes by the files alone.
final class RenewableIndex: Sendable {
    private struct State {
        var index: OriginalIndex?
        /// Which of the indexes that there have been this is.
        var generation = 0
        var isClosed = false
        /// Whether something may be missing in it.
        var isIncomplete = true
    }

    private let path: String
    private let logger: Logger
    private let trouble: StorageTrouble
    private let state = Mutex(State())
    /// Held while an index takes the place of another. Nobody who uses one waits for it.
    private let renewal = Mutex(())

    /// Opens the index, or makes it.
    ///
    /// - Throws: ``DataDirectory/Failure`` when it is of a newer version, or may not be written. With no room for it, there
    ///   is none until there is room.
    init(
        path: String, logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64
    ) throws(DataDirectory.Failure) {
        self.path = path
        self.logger = logger
        self.trouble = StorageTrouble(
            "The index of originals cannot be used; the files are used without it", logger: logger,
            secondsSince1970: secondsSince1970)
        do {
            try self.open()
        } catch let newer as OriginalIndex.NewerVersion {
            throw .newer(path: path, version: newer.version)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(error.primary)
        {
            throw .unusableIndex(path: path, reason: error.message ?? "\(error.resultCode)")
        } catch {
            self.trouble.begin(error)
        }
    }

    /// Whether something may be missing since it was last asked; from then on nothing is, until something is again.
    func takeIncompleteness() -> Bool {
        self.state.withLock { state in
            defer { state.isIncomplete = false }
            return state.isIncomplete
        }
    }

    /// Has the files compared with it again.
    func markIncomplete() {
        self.state.withLock { $0.isIncomplete = true }
    }

    /// Uses the index.
    ///
    /// - Returns: nil when that was not possible, which has been told of.
    func attempt<Value>(_ body: (OriginalIndex) throws -> Value) -> Value? {
        for _ in 0..<2 {
            let (index, generation) = self.state.withLock { ($0.index, $0.generation) }
            guard let index else { break }
            do {
                let value = try body(index)
                self.trouble.end()
                return value
            } catch {
                guard Self.isDamage(error) else {
                    self.trouble.begin(error)
                    break
                }
                self.renew(generation, because: error)
            }
        }
        self.markIncomplete()
        return nil
    }

    /// Tries again to open an index that could not be opened.
    func reopenIfNeeded() {
        self.renewal.withLock { _ in
            guard self.state.withLock({ $0.index == nil && !$0.isClosed }) else { return }
            do {
                try self.open()
                self.markIncomplete()
            } catch {
                self.trouble.begin(error)
            }
        }
    }

    /// Writes its log into the database, and ends; it is done without from then on.
    func close() {
        let index = self.state.withLock { state in
            state.isClosed = true
            defer { state.index = nil }
            return state.index
        }
        do {
            try index?.close()
        } catch {
            self.trouble.begin(error)
        }
    }

    private static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        // An error of the SQL, which is always the same, means that the tables are not what they were. A file that was
        // moved or deleted takes changes with it when it is closed.
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.primary)
            || error.extendedResultCode == .SQLITE_READONLY_DBMOVED
    }

    private func renew(_ generation: Int, because error: any Error) {
        self.renewal.withLock { _ in
            // Somebody else may have met the same damage.
            let damaged = self.state.withLock { state -> OriginalIndex? in
                guard state.generation == generation else { return nil }
                defer { state.index = nil }
                return state.index
            }
            guard let damaged else { return }
            do {
                try damaged.abandon()
            } catch {
                // Its last connection ends with its last user; SQLite leaves the new files alone then.
                self.logger.debug("Damaged index not closed", metadata: ["error.message": "\(error)"])
            }
            self.discard(because: error)
            do {
                try self.make()
            } catch {
                self.trouble.begin(error)
            }
        }
    }

    private func open() throws {
        do {
            try self.make()
        } catch  where Self.isDamage(error) {
            self.discard(because: error)
            try self.make()
        }
    }

    private func make() throws {
        let index = try OriginalIndex(path: self.path)
        let isClosed = self.state.withLock { state in
            guard !state.isClosed else { return true }
            state.index = index
            state.generation += 1
            return false
        }
        if isClosed { try index.close() }
    }

    private func discard(because error: any Error) {
        self.logger.warning(
            "The index of originals is damaged and is made anew from the files",
            metadata: ["error.message": "\(error)"])
        for suffix in ["", "-wal", "-shm"] { unlink(self.path + suffix) }
        self.markIncomplete()
    }
}

extension DatabaseError {
    /// Without the details.
    fileprivate var primary: ResultCode { self.resultCode.primaryResultCode }
}

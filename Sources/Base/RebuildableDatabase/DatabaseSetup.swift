import Dispatch
package import GRDB
import Glibc
import Synchronization

/// The tables of a ``RebuildableDatabase``, by the version in SQLite's `user_version`.
package struct DatabaseSchema: Sendable {
    /// One step from a version to the next, or a check.
    package typealias Step = @Sendable (Database) throws -> Void

    /// What happens to a file of a version that this program does not know.
    package enum NewerVersionPolicy: Sendable {
        /// It stays as it is, and opening it throws ``DatabaseSchema/NewerVersion``.
        case refuse
        /// It is replaced by an empty one.
        case rebuild
    }

    /// The file was made by a newer version of the program.
    package struct NewerVersion: Error {
        /// Its `user_version`.
        package let version: Int
    }

    private let migrations: [Step]
    private let check: Step
    private let newerVersions: NewerVersionPolicy

    /// - Parameters:
    ///   - migrations: From an empty file (version 0) to version 1, from there to 2, and so on; only ever appended to.
    ///   - newerVersions: For files of a version above the last migration's.
    ///   - check: Runs after them at every opening, and throws `DatabaseError` if the tables are not as expected, so
    ///     that the file is replaced then rather than at its first use.
    package init(
        migrations: [Step], newerVersions: NewerVersionPolicy = .rebuild, check: @escaping Step = { _ in }
    ) {
        self.migrations = migrations
        self.check = check
        self.newerVersions = newerVersions
    }

    /// What `user_version` says after the last migration.
    package var version: Int { self.migrations.count }

    var isReplaceable: Bool { self.newerVersions == .rebuild }

    /// Brings a file to ``version`` in one transaction.
    func prepare(_ writer: any DatabaseWriter) throws {
        try writer.write { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            guard found <= self.version else { throw NewerVersion(version: found) }
            if found < self.version {
                for migration in self.migrations.dropFirst(max(0, found)) { try migration(db) }
                try db.execute(sql: "PRAGMA user_version = \(self.version)")
            }
            try self.check(db)
        }
    }
}

/// Bounds how long SQLite waits while another process holds a database: a backup, a shell.
///
/// A waiting writer holds up all that queue behind it, so the limit applies to all of them together: once it is over,
/// each is refused at once, until a write succeeds or no caller has met the lock for a while.
package final class BusyHandler: Sendable {
    /// For all waiting callers together, in milliseconds.
    package static let limit: UInt64 = 2000
    /// After so many milliseconds without a busy database the next lock counts as a new one.
    package static let forgettingTime: UInt64 = 5000
    /// Between two attempts, in milliseconds.
    private static let pause: UInt32 = 10

    private struct Episode {
        var begin: UInt64
        var latest: UInt64
    }

    private let episode = Mutex<Episode?>(nil)
    private let pause: @Sendable () -> Void

    /// - Parameter pause: Waits between two attempts, on the thread that waits; 10 ms by default.
    package init(pause: @escaping @Sendable () -> Void = { usleep(BusyHandler.pause * 1000) }) {
        self.pause = pause
    }

    /// For GRDB's `Configuration/busyMode`.
    package var mode: Database.BusyMode { .callback { _ in self.waitForOthers() } }

    /// Whether to try again; for a pure test of the rule.
    /// - Parameter now: In milliseconds, of a monotonic clock.
    package func allowsWaiting(at now: UInt64) -> Bool {
        self.episode.withLock { episode in
            var current = episode ?? Episode(begin: now, latest: now)
            // Another thread, which read the clock later, may have been here first.
            let now = max(now, current.latest)
            if now - current.latest > Self.forgettingTime { current.begin = now }
            current.latest = now
            episode = current
            return now - current.begin < Self.limit
        }
    }

    /// Ends the episode: the database was written.
    package func succeeded() {
        self.episode.withLock { $0 = nil }
    }

    private func waitForOthers() -> Bool {
        guard self.allowsWaiting(at: DispatchTime.now().uptimeNanoseconds / 1_000_000) else { return false }
        self.pause()
        return true
    }
}

import Dispatch
package import GRDB
import Glibc
import Synchronization

/// The tables of a ``RebuildableDatabase``, versioned by SQLite's `user_version`.
package struct DatabaseSchema: Sendable {
    /// A migration from one version to the next, or a check.
    package typealias Step = @Sendable (Database) throws -> Void

    package enum NewerVersionPolicy: Sendable {
        /// The file is unchanged, and opening it throws ``DatabaseSchema/NewerVersion``.
        case refuse
        /// The file is replaced by an empty one.
        case rebuild
    }

    /// A newer version of the program made the file.
    package struct NewerVersion: Error {
        package let version: Int
    }

    private let migrations: [Step]
    private let check: Step
    private let newerVersions: NewerVersionPolicy

    /// - Parameters:
    ///   - migrations: The first leads from an empty file (version 0) to version 1, the next to version 2, and so on;
    ///     only append to them.
    ///   - newerVersions: Applies to files with a version above the last migration's.
    ///   - check: Runs after the migrations at every opening; throws `DatabaseError` if the tables are not as expected,
    ///     so that the file is replaced at once rather than at its first use.
    package init(
        migrations: [Step], newerVersions: NewerVersionPolicy = .rebuild, check: @escaping Step = { _ in }
    ) {
        self.migrations = migrations
        self.check = check
        self.newerVersions = newerVersions
    }

    /// The `user_version` after the last migration.
    package var version: Int { self.migrations.count }

    var isReplaceable: Bool { self.newerVersions == .rebuild }

    /// Migrates a file to ``version`` and checks it, in one transaction.
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

/// Bounds how long SQLite waits while another process, such as a backup or a shell, holds a database.
///
/// A waiting writer holds up all writers queued behind it, so all share one limit: once it is exceeded, each attempt
/// fails at once, until a write succeeds or no caller has met the lock for ``forgettingTime``.
package final class BusyHandler: Sendable {
    /// The time limit for all waiting callers together, in milliseconds.
    package static let limit: UInt64 = 2000
    /// Time without a busy database after which the next lock starts a new limit, in milliseconds.
    package static let forgettingTime: UInt64 = 5000
    /// Pause between two attempts, in milliseconds.
    private static let pause: UInt32 = 10

    private struct Episode {
        var begin: UInt64
        var latest: UInt64
    }

    private let episode = Mutex<Episode?>(nil)
    private let pause: @Sendable () -> Void

    /// - Parameter pause: Pauses the waiting thread between two attempts; 10 ms by default.
    package init(pause: @escaping @Sendable () -> Void = { usleep(BusyHandler.pause * 1000) }) {
        self.pause = pause
    }

    package var mode: Database.BusyMode { .callback { _ in self.waitForOthers() } }

    /// Whether to try again. A pure rule, for tests.
    /// - Parameter now: The time of a monotonic clock, in milliseconds.
    package func allowsWaiting(at now: UInt64) -> Bool {
        self.episode.withLock { episode in
            var current = episode ?? Episode(begin: now, latest: now)
            // Another thread that read the clock later may have taken the lock first.
            let now = max(now, current.latest)
            if now - current.latest > Self.forgettingTime { current.begin = now }
            current.latest = now
            episode = current
            return now - current.begin < Self.limit
        }
    }

    /// Ends the episode after a successful write.
    package func succeeded() {
        self.episode.withLock { $0 = nil }
    }

    private func waitForOthers() -> Bool {
        guard self.allowsWaiting(at: DispatchTime.now().uptimeNanoseconds / 1_000_000) else { return false }
        self.pause()
        return true
    }
}

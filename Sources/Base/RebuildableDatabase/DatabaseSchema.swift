package import GRDB

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
    ///
    /// - Throws: ``NewerVersion``, `DatabaseError`.
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

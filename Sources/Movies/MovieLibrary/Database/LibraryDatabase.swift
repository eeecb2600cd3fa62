import FoundationEssentials
package import GRDB
public import Logging
public import MovieDomain

/// The database of films and of what users keep. Never the cache's: that one may be deleted at any time.
public final class LibraryDatabase: Sendable {
    package let writer: any DatabaseWriter
    package let health: LibraryHealth
    let patience: LockPatience

    /// Opens the database in a file, which is created when it is missing.
    ///
    /// - Parameters:
    ///   - logger: Is told when it cannot be read or written.
    ///   - now: The time of day, by which it is not told too often.
    /// - Throws: `DatabaseError`.
    public convenience init(
        path: String, logger: Logger = Logger(label: "onesheet"),
        now: @escaping @Sendable () -> Instant = LibraryDatabase.timeOfDay
    ) throws {
        let patience = LockPatience()
        var configuration = Configuration()
        configuration.busyMode = .callback { _ in patience.waitsForOthers() }
        try self.init(
            DatabasePool(path: path, configuration: configuration), patience,
            LibraryHealth(logger: logger, now: now))
    }

    /// A database in memory, for tests.
    public convenience init() throws {
        try self.init(
            DatabaseQueue(), LockPatience(),
            LibraryHealth(logger: Logger(label: "onesheet"), now: LibraryDatabase.timeOfDay))
    }

    private init(_ writer: any DatabaseWriter, _ patience: LockPatience, _ health: LibraryHealth) throws {
        self.writer = writer
        self.patience = patience
        self.health = health
        try Self.migrator.migrate(writer)
    }

    /// Writes what is in the log into the database, and ends; nobody may use it any more.
    ///
    /// - Throws: `DatabaseError`.
    public func close() throws {
        self.health.close()
        let outcome = Result {
            try self.writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        }
        try self.writer.close()
        try outcome.get()
    }

    /// The clock of the system.
    public static let timeOfDay: @Sendable () -> Instant = {
        Instant(secondsSince1970: Int64(Date().timeIntervalSince1970))
    }

    /// It worked.
    func succeeded(_ work: LibraryHealth.Work) {
        if work == .writing { self.patience.renew() }
        self.health.succeeded(work)
    }

    // Migrations are only ever appended.
    package static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("films") { db in
            try db.create(table: "film") { table in
                table.primaryKey("id", .text)
                table.column("position", .integer).notNull().unique()
                table.column("originalTitle", .text).notNull()
                table.column("originalLanguage", .text).notNull()
                table.column("year", .integer).notNull()
                table.column("releaseDate", .text)
                table.column("runtimeMinutes", .integer).check { $0 > 0 }
                table.column("overview", .text).notNull()
                table.column("posterLocation", .text)
                table.column("posterVersion", .text)
                table.column("posterWidth", .integer)
                table.column("posterHeight", .integer)
            }
            try db.create(table: "filmTitle") { table in
                table.belongsTo("film", onDelete: .cascade).notNull()
                table.column("language", .text).notNull()
                table.column("title", .text).notNull()
                table.primaryKey(["filmId", "language"])
            }
            for (table, column) in [("filmGenre", "genre"), ("filmCountry", "country")] {
                try db.create(table: table) { table in
                    table.belongsTo("film", onDelete: .cascade).notNull()
                    table.column("position", .integer).notNull()
                    table.column(column, .text).notNull()
                    table.primaryKey(["filmId", "position"])
                }
            }
            try db.create(table: "filmCredit") { table in
                table.belongsTo("film", onDelete: .cascade).notNull()
                table.column("kind", .text).notNull().check { ["director", "cast"].contains($0) }
                table.column("position", .integer).notNull()
                table.column("name", .text).notNull()
                table.column("role", .text).notNull()
                table.primaryKey(["filmId", "kind", "position"])
            }
            try db.create(table: "catalogue") { table in
                table.primaryKey("name", .text)
                table.column("fingerprint", .text).notNull()
            }
        }
        LibraryDatabase.registerAccounts(&migrator)
        LibraryDatabase.registerCatalogueMigrations(&migrator)
        LibraryDatabase.registerSnapshotAges(&migrator)
        return migrator
    }()
}

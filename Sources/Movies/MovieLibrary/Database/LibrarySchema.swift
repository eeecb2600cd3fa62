package import GRDB

/// The library's tables, as GRDB's named migrations. Migrations are only appended.
extension LibraryDatabase {
    /// Migrates a file of any earlier version.
    package static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        registerFilms(&migrator)
        registerAccounts(&migrator)
        registerCatalogueMigrations(&migrator)
        registerSnapshotAges(&migrator)
        registerFilmLinks(&migrator)
        registerDevicesOfSessions(&migrator)
        registerSearchInMemory(&migrator)
        registerWatchlist(&migrator)
        registerCataloguePictures(&migrator)
        registerStrictCatalogue(&migrator)
        return migrator
    }()

    /// The embedded catalogue's pictures other than posters.
    private static func registerCataloguePictures(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("catalogue pictures") { db in
            try db.create(table: "filmPicture", options: .strict) { table in
                table.column("filmId", .text).notNull().references("film", onDelete: .cascade)
                table.column("position", .integer).notNull()
                table.column("kind", .text).notNull()
                table.column("file", .text).notNull()
                table.column("version", .text).notNull()
                table.column("width", .integer).notNull()
                table.column("height", .integer).notNull()
                table.column("isTextless", .integer).notNull()
                table.primaryKey(["filmId", "position"])
            }
        }
    }

    /// Drops the search table: films are searched in memory.
    private static func registerSearchInMemory(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("search in memory") { db in try db.drop(table: "filmSearch") }
    }

    private static func registerFilms(_ migrator: inout DatabaseMigrator) {
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
    }

    /// Users' data. No foreign key refers to `film`: the catalogue may be replaced without deleting these rows.
    private static func registerAccounts(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("favourites") { db in
            try db.create(table: "favourite", options: .strict) { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("owner", .text).notNull()
                table.column("movie", .text).notNull()
                table.column("addedAt", .integer).notNull()
                table.column("snapshotFormat", .integer).notNull()
                table.column("snapshot", .text).notNull()
                table.uniqueKey(["owner", "movie"])
            }
            try db.create(
                index: "favouriteByAge", on: "favourite", columns: ["owner", "addedAt", "sequence"])
            // Counting a million rows takes longer than any other operation on them.
            try db.execute(
                sql: """
                    CREATE TABLE favouriteCount (total INTEGER NOT NULL) STRICT;
                    INSERT INTO favouriteCount VALUES (0);
                    CREATE TRIGGER favouriteAdded AFTER INSERT ON favourite
                    BEGIN UPDATE favouriteCount SET total = total + 1; END;
                    CREATE TRIGGER favouriteRemoved AFTER DELETE ON favourite
                    BEGIN UPDATE favouriteCount SET total = total - 1; END;
                    """)
        }
        migrator.registerMigration("sessions") { db in
            try db.create(table: "session", options: .strict) { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("tokenHash", .blob).notNull().unique()
                table.column("owner", .text).notNull()
                table.column("ownerSource", .text)
                table.column("ownerID", .text).notNull()
                table.column("source", .text)
                table.column("accountID", .text)
                table.column("keyID", .text)
                table.column("sealedSecret", .blob)
                table.column("expiresAt", .integer).notNull().indexed()
            }
            try db.create(index: "sessionByOwner", on: "session", columns: ["owner", "sequence"])
        }
        migrator.registerMigration("local accounts") { db in
            try db.create(table: "approvalWish", options: .strict) { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("tokenHash", .blob).notNull().unique()
                table.column("returnTo", .text)
                table.column("state", .text).notNull().check { ["open", "approved", "denied"].contains($0) }
                table.column("expiresAt", .integer).notNull().indexed()
            }
            try db.create(table: "localAccount", options: .strict) { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("id", .text).notNull().unique()
                table.column("username", .text).notNull()
                table.column("secretHash", .blob).notNull().unique()
            }
            try db.create(table: "localRating", options: .strict) { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("account", .text).notNull()
                    .references("localAccount", column: "id", onDelete: .cascade)
                table.column("movie", .text).notNull()
                table.column("halves", .integer).notNull().check { $0 >= 1 && $0 <= 20 }
                table.column("ratedAt", .integer).notNull()
                table.column("snapshotFormat", .integer).notNull()
                table.column("snapshot", .text).notNull()
                table.uniqueKey(["account", "movie"])
            }
        }
    }

    private static func registerSnapshotAges(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("ages of snapshots") { db in
            try db.alter(table: "favourite") { table in table.add(column: "snapshotAt", .integer) }
            try db.execute(
                sql: """
                    UPDATE favourite SET snapshotAt = addedAt;
                    CREATE INDEX favouriteBySnapshot ON favourite (snapshotAt)
                        WHERE movie GLOB 'tmdb:*' AND snapshotAt IS NOT NULL;
                    """)
        }
    }

    private static func registerFilmLinks(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("film links") { db in
            try db.create(table: "filmLink", options: .strict) { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("film", .text).notNull().unique(onConflict: .replace)
                table.column("counterpart", .text).notNull().indexed()
                table.column("reason", .text).notNull()
                table.column("linkedAt", .integer).notNull()
            }
            // For the owners with a film, which are queried only when the film is linked.
            try db.execute(
                sql: """
                    CREATE INDEX favouriteLinkable ON favourite (movie)
                        WHERE movie GLOB 'kobis:*' OR movie GLOB 'kmdb:*';
                    """)
        }
    }

    private static func registerDevicesOfSessions(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("devices of sessions") { db in
            try db.alter(table: "session") { table in table.add(column: "device", .text) }
        }
        // At its end, a session checks whether others use its device's favourites.
        migrator.registerMigration("sessions by device") { db in
            try db.execute(sql: "CREATE INDEX sessionByDevice ON session (device) WHERE device IS NOT NULL")
        }
    }

    /// The films that users want to watch, in a table like `favourite`.
    private static func registerWatchlist(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("watchlist") { db in
            try db.create(table: "watchlistFilm", options: .strict) { table in
                table.autoIncrementedPrimaryKey("sequence")
                table.column("owner", .text).notNull()
                table.column("movie", .text).notNull()
                table.column("addedAt", .integer).notNull()
                table.column("snapshotFormat", .integer).notNull()
                table.column("snapshot", .text).notNull()
                table.column("snapshotAt", .integer)
                table.uniqueKey(["owner", "movie"])
            }
            try db.create(
                index: "watchlistFilmByAge", on: "watchlistFilm", columns: ["owner", "addedAt", "sequence"])
            try db.execute(
                sql: """
                    CREATE INDEX watchlistFilmBySnapshot ON watchlistFilm (snapshotAt)
                        WHERE movie GLOB 'tmdb:*' AND snapshotAt IS NOT NULL;
                    CREATE INDEX watchlistFilmLinkable ON watchlistFilm (movie)
                        WHERE movie GLOB 'kobis:*' OR movie GLOB 'kmdb:*';
                    CREATE TABLE watchlistFilmCount (total INTEGER NOT NULL) STRICT;
                    INSERT INTO watchlistFilmCount VALUES (0);
                    CREATE TRIGGER watchlistFilmAdded AFTER INSERT ON watchlistFilm
                    BEGIN UPDATE watchlistFilmCount SET total = total + 1; END;
                    CREATE TRIGGER watchlistFilmRemoved AFTER DELETE ON watchlistFilm
                    BEGIN UPDATE watchlistFilmCount SET total = total - 1; END;
                    """)
        }
    }

    /// The embedded catalogue's texts, names and index. They are no users' data, and may be emptied and imported again.
    private static func registerCatalogueMigrations(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("catalogue-2-texts") { db in
            // Foreign keys do not cascade within a migration.
            for table in ["filmTitle", "filmGenre", "filmCountry", "filmCredit", "film", "catalogue"] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
            try db.alter(table: "film") { table in
                table.drop(column: "overview")
                table.add(column: "scoreAverage", .double)
                table.add(column: "scoreCount", .integer)
                table.add(column: "certificate", .text)
                table.add(column: "sound", .text)
                table.add(column: "colour", .text)
            }
            try db.create(table: "filmOverview") { table in
                table.belongsTo("film", onDelete: .cascade).notNull()
                table.column("language", .text).notNull()
                table.column("overview", .text).notNull()
                table.primaryKey(["filmId", "language"])
            }
            try db.create(table: "filmOtherTitle") { table in
                table.belongsTo("film", onDelete: .cascade).notNull()
                table.column("position", .integer).notNull()
                table.column("title", .text).notNull()
                table.primaryKey(["filmId", "position"])
            }
            try db.create(table: "filmReview") { table in
                table.belongsTo("film", onDelete: .cascade).notNull()
                table.column("number", .integer).notNull()
                table.column("author", .text).notNull()
                table.column("score", .double)
                table.column("day", .text).notNull()
                table.column("content", .text).notNull()
                table.primaryKey(["filmId", "number"])
            }
            try db.create(table: "catalogueName") { table in
                table.column("kind", .text).notNull().check { ["genre", "word"].contains($0) }
                table.column("key", .text).notNull()
                table.column("language", .text).notNull()
                table.column("name", .text).notNull()
                table.primaryKey(["kind", "key", "language"])
            }
            try db.create(table: "cataloguePersonName") { table in
                table.column("person", .text).notNull()
                table.column("position", .integer).notNull()
                table.column("language", .text)
                table.column("name", .text).notNull()
                table.column("isOriginal", .boolean).notNull()
                table.primaryKey(["person", "position"])
            }
            // `ascii` does not change non-ASCII characters: the grams are folded already.
            try db.execute(
                sql: "CREATE VIRTUAL TABLE filmSearch USING fts5(grams, content='', detail='none', tokenize='ascii')")
        }
    }
}

import GRDB

extension LibraryDatabase {
    /// What the embedded catalogue keeps besides the bare facts. Nothing of users: it may be emptied and imported again.
    static func registerCatalogueMigrations(_ migrator: inout DatabaseMigrator) {
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
            // `ascii` leaves everything that is not ASCII as it is: the grams are folded already.
            try db.execute(
                sql: "CREATE VIRTUAL TABLE filmSearch USING fts5(grams, content='', detail='none', tokenize='ascii')")
        }
    }
}

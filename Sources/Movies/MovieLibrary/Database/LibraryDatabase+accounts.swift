import GRDB

/// What users keep. No foreign key leads to `film`: the catalogue may change or go, and this stays.
extension LibraryDatabase {
    static func registerAccounts(_ migrator: inout DatabaseMigrator) {
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
            // Counting a million rows takes longer than anything else that is done with them.
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

    static func registerSnapshotAges(_ migrator: inout DatabaseMigrator) {
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
}

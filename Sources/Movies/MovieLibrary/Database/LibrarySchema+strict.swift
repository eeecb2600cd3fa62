import GRDB

extension LibraryDatabase {
    /// Makes the embedded catalogue's tables strict, like all others. They have no users' data, and are imported again.
    static func registerStrictCatalogue(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("strict catalogue") { db in
            let tables = [
                "filmPicture", "filmReview", "filmOtherTitle", "filmOverview", "filmCredit", "filmCountry", "filmGenre",
                "filmTitle", "film", "catalogueName", "cataloguePersonName", "catalogue",
            ]
            // Foreign keys do not cascade within a migration.
            for table in tables { try db.drop(table: table) }
            try db.execute(sql: Self.strictCatalogue)
        }
    }

    private static let strictCatalogue = """
        CREATE TABLE film (
            id TEXT PRIMARY KEY NOT NULL, position INTEGER NOT NULL UNIQUE, originalTitle TEXT NOT NULL,
            originalLanguage TEXT NOT NULL, year INTEGER NOT NULL, releaseDate TEXT,
            runtimeMinutes INTEGER CHECK (runtimeMinutes > 0), posterLocation TEXT, posterVersion TEXT,
            posterWidth INTEGER, posterHeight INTEGER, scoreAverage REAL, scoreCount INTEGER, certificate TEXT,
            sound TEXT, colour TEXT
        ) STRICT;
        CREATE TABLE filmTitle (
            filmId TEXT NOT NULL REFERENCES film (id) ON DELETE CASCADE, language TEXT NOT NULL, title TEXT NOT NULL,
            PRIMARY KEY (filmId, language)
        ) STRICT;
        CREATE TABLE filmOverview (
            filmId TEXT NOT NULL REFERENCES film (id) ON DELETE CASCADE, language TEXT NOT NULL,
            overview TEXT NOT NULL, PRIMARY KEY (filmId, language)
        ) STRICT;
        CREATE TABLE filmOtherTitle (
            filmId TEXT NOT NULL REFERENCES film (id) ON DELETE CASCADE, position INTEGER NOT NULL,
            title TEXT NOT NULL, PRIMARY KEY (filmId, position)
        ) STRICT;
        CREATE TABLE filmGenre (
            filmId TEXT NOT NULL REFERENCES film (id) ON DELETE CASCADE, position INTEGER NOT NULL,
            genre TEXT NOT NULL, PRIMARY KEY (filmId, position)
        ) STRICT;
        CREATE TABLE filmCountry (
            filmId TEXT NOT NULL REFERENCES film (id) ON DELETE CASCADE, position INTEGER NOT NULL,
            country TEXT NOT NULL, PRIMARY KEY (filmId, position)
        ) STRICT;
        CREATE TABLE filmCredit (
            filmId TEXT NOT NULL REFERENCES film (id) ON DELETE CASCADE,
            kind TEXT NOT NULL CHECK (kind IN ('director', 'cast')), position INTEGER NOT NULL, name TEXT NOT NULL,
            role TEXT NOT NULL, PRIMARY KEY (filmId, kind, position)
        ) STRICT;
        CREATE TABLE filmReview (
            filmId TEXT NOT NULL REFERENCES film (id) ON DELETE CASCADE, number INTEGER NOT NULL,
            author TEXT NOT NULL, score REAL, day TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (filmId, number)
        ) STRICT;
        CREATE TABLE filmPicture (
            filmId TEXT NOT NULL REFERENCES film (id) ON DELETE CASCADE, position INTEGER NOT NULL,
            kind TEXT NOT NULL, file TEXT NOT NULL, version TEXT NOT NULL, width INTEGER NOT NULL,
            height INTEGER NOT NULL, isTextless INTEGER NOT NULL, PRIMARY KEY (filmId, position)
        ) STRICT;
        CREATE TABLE catalogueName (
            kind TEXT NOT NULL CHECK (kind IN ('genre', 'word')), key TEXT NOT NULL, language TEXT NOT NULL,
            name TEXT NOT NULL, PRIMARY KEY (kind, key, language)
        ) STRICT;
        CREATE TABLE cataloguePersonName (
            person TEXT NOT NULL, position INTEGER NOT NULL, language TEXT, name TEXT NOT NULL,
            isOriginal INTEGER NOT NULL, PRIMARY KEY (person, position)
        ) STRICT;
        CREATE TABLE catalogue (name TEXT PRIMARY KEY NOT NULL, fingerprint TEXT NOT NULL) STRICT;
        """
}

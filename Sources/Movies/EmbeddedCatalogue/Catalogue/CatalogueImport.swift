import GRDB
import MovieDomain
import MovieLibrary
import RebuildableDatabase

extension CatalogueDatabase {
    /// Imports the packaged catalogue, unless the database contains it with the same fingerprint and undamaged.
    ///
    /// Runs in one transaction: readers see either the old or the new catalogue. Does not change users' data.
    ///
    /// - Returns: Whether the database was changed.
    @discardableResult
    package func importCatalogue(_ resource: CatalogueResource) throws -> Bool {
        let imported: LoadedCatalogue? = try self.library.writer.write { db in
            let sql = "SELECT fingerprint FROM catalogue WHERE name = 'embedded'"
            if try String.fetchOne(db, sql: sql) == resource.fingerprint {
                let damageCount = self.library.damage.count
                let known = try LoadedCatalogue(db, fingerprint: resource.fingerprint, self.library.damage)
                guard self.library.damage.count > damageCount || known.films.count != resource.films.count else {
                    self.store(known)
                    return nil
                }
            }
            // Deletes damaged rows as well, which may refer to no film.
            try db.execute(
                sql: """
                    DELETE FROM filmTitle; DELETE FROM filmOverview; DELETE FROM filmOtherTitle; DELETE FROM filmGenre;
                    DELETE FROM filmCountry; DELETE FROM filmCredit; DELETE FROM filmReview; DELETE FROM filmPicture;
                    DELETE FROM film; DELETE FROM catalogueName; DELETE FROM cataloguePersonName;
                    """)
            for (position, film) in resource.films.enumerated() {
                try film.insert(db, position: position, poster: resource.posters[film.id])
                for (index, scene) in (resource.scenes[film.id] ?? []).enumerated() {
                    try FilmPictureRecord(scene, film: film.id, position: index).insert(db)
                }
                for (index, review) in (resource.reviews[film.id] ?? []).enumerated() {
                    try review.insert(db, film: film.id, number: index + 1)
                }
            }
            try resource.names.insert(db)
            try db.execute(
                sql: "INSERT OR REPLACE INTO catalogue (name, fingerprint) VALUES ('embedded', ?)",
                arguments: [resource.fingerprint])
            return try LoadedCatalogue(db, fingerprint: resource.fingerprint, self.library.damage)
        }
        if let imported { self.store(imported) }
        return imported != nil
    }
}

extension Database {
    /// Executes a cached statement.
    fileprivate func insert(_ sql: String, _ arguments: StatementArguments) throws {
        try self.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension CatalogueResource.Film {
    fileprivate func insert(_ db: Database, position: Int, poster: CatalogueResource.Poster?) throws {
        try FilmRecord(
            id: self.id, position: position, originalTitle: self.originalTitle,
            originalLanguage: self.originalLanguage, year: self.year, releaseDate: self.releaseDate,
            runtimeMinutes: self.runtimeMinutes, posterLocation: poster?.file, posterVersion: poster?.sha256,
            posterWidth: poster?.width, posterHeight: poster?.height, scoreAverage: self.score?.average,
            scoreCount: self.score?.count, certificate: self.certificate, sound: self.sound, colour: self.colour
        ).insert(db)
        for (table, column, texts) in [("filmTitle", "title", titles), ("filmOverview", "overview", overviews)] {
            for (language, text) in texts {
                try db.insert(
                    "INSERT INTO \(table) (filmId, language, \(column)) VALUES (?, ?, ?)",
                    [self.id, language, text])
            }
        }
        let lists = [
            ("filmGenre", "genre", self.genres), ("filmCountry", "country", self.countries),
            ("filmOtherTitle", "title", self.otherTitles ?? []),
        ]
        for (table, column, texts) in lists {
            for (index, text) in texts.enumerated() {
                try db.insert(
                    "INSERT INTO \(table) (filmId, position, \(column)) VALUES (?, ?, ?)",
                    [self.id, index, text])
            }
        }
        let credits = self.directors.map { ("director", $0, "") } + self.cast.map { ("cast", $0.name, $0.role) }
        for (index, (kind, name, role)) in credits.enumerated() {
            try db.insert(
                "INSERT INTO filmCredit (filmId, kind, position, name, role) VALUES (?, ?, ?, ?, ?)",
                [self.id, kind, index, name, role])
        }
    }
}

extension FilmPictureRecord {
    fileprivate init(_ scene: CatalogueResource.Scene, film: String, position: Int) {
        self.init(
            filmId: film, position: position, kind: GalleryPicture.Kind.backdrop.rawValue, file: "scenes/" + scene.file,
            version: scene.sha256, width: scene.width, height: scene.height, isTextless: scene.textless)
    }
}

extension CatalogueResource.Review {
    fileprivate func insert(_ db: Database, film: String, number: Int) throws {
        try db.insert(
            "INSERT INTO filmReview (filmId, number, author, score, day, content) VALUES (?, ?, ?, ?, ?, ?)",
            [film, number, self.author, self.score, self.day, self.content])
    }
}

extension CatalogueResource.Names {
    fileprivate func insert(_ db: Database) throws {
        for (word, names) in self.words {
            for (language, name) in names {
                try db.insert(
                    "INSERT INTO catalogueName (kind, key, language, name) VALUES ('word', ?, ?, ?)",
                    [word, language, name])
            }
        }
        for (person, entry) in self.people {
            let names = entry.names.sorted { $0.key < $1.key }.map { (Optional($0.key), $0.value) }
            let others = (entry.others ?? []).map { (String?.none, $0) }
            for (position, (language, name)) in (names + others).enumerated() {
                let isOriginal = language != nil && language == entry.language
                try db.insert(
                    """
                    INSERT INTO cataloguePersonName (person, position, language, name, isOriginal)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                    [person, position, language, name, isOriginal])
            }
        }
    }
}

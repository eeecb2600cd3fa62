import GRDB

extension LibraryDatabase {
    /// Brings the packaged catalogue into the database; does nothing when it is there already.
    ///
    /// One transaction: a reader sees the old catalogue or the new one.
    ///
    /// - Returns: Whether anything was written.
    /// - Throws: `DatabaseError`.
    @discardableResult
    public func importCatalogue(_ resource: CatalogueResource) throws -> Bool {
        try self.writer.write { db in
            let sql = "SELECT fingerprint FROM catalogue WHERE name = 'embedded'"
            guard try String.fetchOne(db, sql: sql) != resource.fingerprint else { return false }
            try db.execute(sql: "DELETE FROM film")
            for (position, film) in resource.films.enumerated() {
                try film.insert(db, position: position, poster: resource.posters[film.id])
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO catalogue (name, fingerprint) VALUES ('embedded', ?)",
                arguments: [resource.fingerprint])
            return true
        }
    }
}

extension CatalogueResource.Film {
    fileprivate func insert(_ db: Database, position: Int, poster: CatalogueResource.Poster?) throws {
        try FilmRecord(
            id: self.id, position: position, originalTitle: self.originalTitle,
            originalLanguage: self.originalLanguage, year: self.year, releaseDate: self.releaseDate,
            runtimeMinutes: self.runtimeMinutes, overview: self.overview, posterLocation: poster?.file,
            posterVersion: poster?.sha256, posterWidth: poster?.width, posterHeight: poster?.height
        ).insert(db)
        for (language, title) in self.titles {
            try db.execute(
                sql: "INSERT INTO filmTitle (filmId, language, title) VALUES (?, ?, ?)",
                arguments: [self.id, language, title])
        }
        for (table, column, texts) in [("filmGenre", "genre", genres), ("filmCountry", "country", countries)] {
            for (index, text) in texts.enumerated() {
                try db.execute(
                    sql: "INSERT INTO \(table) (filmId, position, \(column)) VALUES (?, ?, ?)",
                    arguments: [self.id, index, text])
            }
        }
        let credits = self.directors.map { ("director", $0, "") } + self.cast.map { ("cast", $0.name, $0.role) }
        for (index, (kind, name, role)) in credits.enumerated() {
            try db.execute(
                sql: "INSERT INTO filmCredit (filmId, kind, position, name, role) VALUES (?, ?, ?, ?, ?)",
                arguments: [self.id, kind, index, name, role])
        }
    }
}

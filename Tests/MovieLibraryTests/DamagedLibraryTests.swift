import DatabaseTesting
import GRDB
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import RebuildableDatabase
import Testing

@Suite(.timeLimit(.hang))
struct DamagedLibraryTests {
    private let clock = ManualTimeOfDay()
    private let owners = [Owner.device(id: "d"), .account(.tmdb, id: "1")]

    private struct Library {
        let database: LibraryDatabase
        let lists: [SQLiteFavourites]
        let links: SQLiteFilmLinks
        let sessions: SQLiteSessions
        let tokens = [AccessToken(), AccessToken()]
    }

    private func favourite(_ number: Int) throws -> Favourite {
        let id = try #require(MovieID("tmdb:\(number)"))
        return Favourite(
            movie: try #require(MovieSummary(id: id, title: "Film \(number)", year: 1990)),
            addedAt: Instant(secondsSince1970: Int64(number)))
    }

    private func library() async throws -> Library {
        let database = try LibraryDatabase(logger: WarningCounter().logger)
        let library = Library(
            database: database,
            lists: StoredList.allCases.map { SQLiteFavourites(database, list: $0, now: self.clock.now) },
            links: SQLiteFilmLinks(database),
            sessions: SQLiteSessions(
                database, key: SecretKey(), logger: WarningCounter().logger, now: self.clock.now))
        for list in library.lists {
            for owner in self.owners {
                for number in 1...3 { _ = try await list.put(self.favourite(number), of: owner, limit: 9) }
            }
        }
        for number in 1...2 { try await library.links.keep(self.link(number)) }
        let end = Instant(secondsSince1970: 100_000)
        try await library.sessions.keep(
            Session(owner: self.owners[0], upstream: nil, expiresAt: end), under: library.tokens[0])
        try await library.sessions.keep(
            Session(
                owner: self.owners[1], upstream: UpstreamSession(source: .tmdb, secret: "s", accountID: "1"),
                device: "d", expiresAt: end),
            under: library.tokens[1])
        return library
    }

    private func link(_ number: Int) throws -> FilmLink {
        FilmLink(
            film: try #require(MovieID("kobis:\(number)")), counterpart: try #require(MovieID("tmdb:\(number)")),
            reason: "a test", linkedAt: Instant(secondsSince1970: 5))
    }

    /// Ignores storage failures of a write, but no other errors.
    private func write(_ body: () async throws -> Void) async throws {
        do { try await body() } catch is StorageFailure {}
    }

    @Test func noDamagedCellMakesAReadFail() async throws {
        var library = try await self.library()
        for seed in 0..<CellMutator.count {
            if seed % 10 == 9 { library = try await self.library() }
            let mutation = try await library.database.writer.writeWithoutTransaction { db in
                var mutator = CellMutator(seed: seed)
                return try mutator.mutate(db)
            }
            let films = try (1...3).map { try self.favourite($0).movie.id }
            for list in library.lists {
                for owner in self.owners {
                    let page = try await list.favourites(of: owner, page: 1, size: 20)
                    // A mutated owner may move a row to another owner.
                    #expect(page.results.count <= 3 * self.owners.count, "\(mutation)")
                    _ = try await list.favouriteIDs(among: films, of: owner)
                    for film in films { _ = try await list.favourite(film, of: owner) }
                }
            }
            _ = try await library.links.links(of: films + [self.link(1).film])
            for token in library.tokens { _ = try await library.sessions.session(under: token, at: self.clock.now()) }
            for table in LibraryTable.all { _ = try await library.database.rows(of: table, after: .min, limit: 2) }
            try await self.write(to: library)
        }
    }

    private func write(to library: Library) async throws {
        self.clock.advance(by: .seconds(4000))
        for list in library.lists {
            for owner in self.owners {
                try await self.write {
                    _ = try await list.put(self.favourite(1), of: owner, limit: 9)
                    _ = try await list.put(self.favourite(4), of: owner, limit: 9)
                    try await list.remove(self.favourite(4).movie.id, of: owner)
                }
            }
            try await self.write {
                _ = try await list.move(from: self.owners[0], to: self.owners[1], limit: 9)
                for number in 1...3 { _ = try await list.put(self.favourite(number), of: self.owners[0], limit: 9) }
            }
        }
        try await self.write { try await library.links.keep(self.link(3)) }
        let later = Instant(secondsSince1970: 200_000)
        for token in library.tokens {
            try await self.write { try await library.sessions.renew(token, until: later, deviceUntil: later) }
        }
        let extra = AccessToken()
        try await self.write {
            try await library.sessions.keep(
                Session(owner: self.owners[0], upstream: nil, expiresAt: later), under: extra)
            _ = try await library.sessions.end(extra, at: self.clock.now())
        }
    }

    @Test func oneDamagedFilmIsLeftOutAndDoesNotKeepOthersFromMoving() async throws {
        let library = try await self.library()
        let database = library.database
        try await database.writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA writable_schema = ON")
            let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'favourite'") ?? ""
            for text in [sql.replacing("STRICT", with: ""), sql] {
                try db.execute(
                    sql: "UPDATE sqlite_schema SET sql = ? WHERE name = 'favourite'", arguments: [text])
                let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
                try db.execute(sql: "PRAGMA schema_version = \(version + 1); PRAGMA writable_schema = RESET")
                if text != sql {
                    try db.execute(sql: "UPDATE favourite SET addedAt = X'00' WHERE movie = 'tmdb:2'")
                }
                try db.execute(sql: "PRAGMA writable_schema = ON")
            }
            try db.execute(sql: "PRAGMA writable_schema = OFF")
        }
        let list = library.lists[0]
        let page = try await list.favourites(of: self.owners[0], page: 1, size: 20)
        #expect(page.results.map(\.movie.id.key) == ["3", "1"])
        #expect(database.damage.count == 1)
        try await list.remove(self.favourite(3).movie.id, of: self.owners[1])
        #expect(try await list.move(from: self.owners[0], to: self.owners[1], limit: 9) == 1)
        let moved = try await list.favourites(of: self.owners[1], page: 1, size: 20)
        #expect(moved.results.map(\.movie.id.key) == ["3", "1"])
        #expect(database.damage.count == 3, "the row of each owner was deleted")
    }

    @Test(arguments: ["'many'", "-1", "9223372036854775807"])
    func aDamagedCountOfFilmsIsCountedAgain(total: String) async throws {
        let file = LibraryFile()
        do {
            let database = try file.open()
            let favourites = SQLiteFavourites(database)
            for number in 1...2 { _ = try await favourites.put(self.favourite(number), of: self.owners[0], limit: 9) }
            try database.close()
        }
        if total.hasPrefix("'") {
            try file.change("DELETE FROM favouriteCount")
        } else {
            try file.change("UPDATE favouriteCount SET total = \(total)")
        }
        let database = try file.open()
        #expect(try file.text("SELECT total FROM favouriteCount") == "2")
        #expect(try await SQLiteFavourites(database).put(self.favourite(3), of: self.owners[0], limit: 9) == true)
        try database.close()
    }

    @Test func aRowWithTheLastSequenceDoesNotKeepOthersOut() async throws {
        let file = LibraryFile()
        do {
            let database = try file.open()
            for number in 1...2 {
                _ = try await SQLiteFavourites(database).put(self.favourite(number), of: self.owners[0], limit: 9)
            }
            try database.close()
        }
        try file.change("UPDATE favourite SET sequence = 9223372036854775807 WHERE movie = 'tmdb:2'")
        let database = try file.open()
        let favourites = SQLiteFavourites(database)
        #expect(try await favourites.put(self.favourite(3), of: self.owners[0], limit: 9) == true)
        let films = try await favourites.favourites(of: self.owners[0], page: 1, size: 9).results
        #expect(films.map(\.movie.id.key) == ["3", "1"])
        try database.close()
    }

    @Test func aLibraryOfANewerVersionIsRefusedByName() throws {
        let file = LibraryFile()
        try file.open().close()
        try file.change("INSERT INTO grdb_migrations VALUES ('time travel')")
        let before = try file.bytes()
        let error = #expect(throws: LibraryDatabase.NewerVersion.self) { try file.open() }
        let sentence = error?.description ?? ""
        #expect(sentence.contains(file.path) && sentence.contains("made by a newer onesheet"))
        #expect(sentence.contains("\"time travel\"") && sentence.contains("--data-dir"))
        #expect(try file.bytes().first == before.first, "and nothing is changed")
    }
}

import FoundationEssentials
import GRDB
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import Testing

struct SQLiteUserDataTests {
    private let clock = ManualTimeOfDay()
    private let key = SecretKey()
    private let library = LibraryFile()
    private let film = MovieID("heat-1995")!

    private func stores(_ database: LibraryDatabase, key: SecretKey? = nil) -> UserDataStores {
        let logger = WarningCounter().logger
        return UserDataStores(
            userData: SQLiteUserData(database, key: key ?? self.key, logger: logger, now: self.clock.now),
            sessions: SQLiteSessions(database, key: self.key, logger: logger, now: self.clock.now),
            favourites: SQLiteFavourites(database, now: self.clock.now),
            watchlist: SQLiteFavourites(database, list: .watchlist, now: self.clock.now))
    }

    /// Adds two guests of one device and another guest, each with a rating.
    private func addGuests() throws {
        for (id, device) in [("g", "d"), ("h", "d"), ("other", "e")] {
            try self.library.change(
                "INSERT INTO localAccount (id, username, secretHash) VALUES (?, ?, CAST(? AS BLOB))",
                [id, "guest-\(id)", id])
            try self.library.change(
                """
                INSERT INTO localRating (account, movie, halves, ratedAt, snapshotFormat, snapshot)
                VALUES (?, ?, 17, ?, 1, '{"title":"Heat","releaseDate":"1995-12-15"}')
                """, [id, self.film.description, id == "h" ? 200 : 100])
            try self.library.change(
                """
                INSERT INTO session (tokenHash, owner, ownerSource, ownerID, source, accountID, device, expiresAt)
                VALUES (CAST(? AS BLOB), 'sample:' || ?, 'sample', ?, 'sample', ?, ?, 2000)
                """, [id, id, id, id, device])
        }
    }

    @Test func keepsItsPromisesInAFileAndInMemory() async throws {
        #expect(try await checkContract(of: self.stores(try self.library.open())) == [])
        #expect(try await checkContract(of: self.stores(try LibraryDatabase())) == [])
    }

    @Test func ratingsOfTheGuestsOfADeviceAreExportedAndErasedTogether() async throws {
        let userData = self.stores(try self.library.open()).userData
        try self.addGuests()
        let owner = Owner.account(.embedded, id: "g")
        let data = try await userData.data(of: owner)
        let heat = UserData.Film(id: self.film, title: "Heat", year: 1995)
        #expect(
            data.ratings
                == [200, 100].map {
                    UserData.RatedFilm(
                        film: heat, rating: Rating(8.5)!, ratedAt: Instant(secondsSince1970: $0))
                })
        #expect(Set(data.guests.map(\.username)) == ["guest-g", "guest-h"])
        let erased = try await userData.erase(owner)
        #expect(erased.ratings == 2 && erased.guests == 2 && erased.sessions == 2)
        #expect(try await userData.data(of: .account(.embedded, id: "other")).ratings.count == 1)
        for table in ["localRating", "localAccount", "session"] { #expect(try self.library.count(table) == 1) }
    }

    @Test func erasedRowsAreOverwrittenInTheFile() async throws {
        let database = try self.library.open()
        let stores = self.stores(database)
        let owner = Owner.account(.tmdb, id: "5481234567")
        let favourite = Favourite(movie: .whole(self.film, title: "Unmistakable"), addedAt: self.clock.now())
        _ = try await stores.favourites.put(favourite, of: owner, limit: 9)
        _ = try await stores.userData.erase(owner)
        try database.close()
        for file in try self.library.bytes() {
            for text in ["5481234567", "Unmistakable"] { #expect(file.firstRange(of: Data(text.utf8)) == nil) }
        }
    }

    @Test func damagedRowsAreLeftOutOfTheExportAndErasedAllTheSame() async throws {
        let userData = self.stores(try self.library.open()).userData
        for (movie, addedAt, snapshot) in [
            ("no id", 100, "{}"), ("heat-1995", Int64.max, "no JSON"), ("film-1", Int64.min, "{\"title\":1}"),
        ] as [(String, Int64, String)] {
            try self.library.change(
                "INSERT INTO favourite (owner, movie, addedAt, snapshotFormat, snapshot) VALUES ('tmdb:7', ?, ?, 1, ?)",
                [movie, addedAt, snapshot])
        }
        try self.library.change(
            """
            INSERT INTO session (tokenHash, owner, ownerSource, ownerID, source, expiresAt)
            VALUES (x'00', 'tmdb:7', 'tmdb', '7', 'tmdb', 9223372036854775807)
            """)
        let owner = Owner.account(.tmdb, id: "7")
        let data = try await userData.data(of: owner)
        let heat = UserData.Film(id: self.film, title: nil, year: nil)
        #expect(data.favourites.first == .init(film: heat, addedAt: Instant(secondsSince1970: 253_402_300_799)))
        #expect(data.favourites.last?.addedAt == Instant(secondsSince1970: 0) && data.favourites.count == 2)
        let erased = try await userData.erase(owner)
        #expect(erased.favourites == 3 && erased.sessions == 1 && erased.upstreamSessions.isEmpty)
    }

    @Test func withoutTheKeySessionsAreErasedWithTheirSecretsSealed() async throws {
        let database = try self.library.open()
        let owner = Owner.account(.tmdb, id: "7")
        try await self.stores(database).sessions.keep(
            Session(
                owner: owner, upstream: UpstreamSession(source: .tmdb, secret: "s", accountID: "7"),
                expiresAt: Instant(secondsSince1970: 2000)), under: AccessToken())
        let erased = try await self.stores(database, key: SecretKey()).userData.erase(owner)
        #expect(erased.sessions == 1 && erased.upstreamSessions.isEmpty)
    }

    @Test func anExportIsBoundedAndSaysSo() async throws {
        let userData = self.stores(try self.library.open()).userData
        try self.library.change(
            """
            WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
            INSERT INTO favourite (owner, movie, addedAt, snapshotFormat, snapshot)
            SELECT 'device:d', 'film-' || number, number, 1, '{}' FROM numbers
            """, [UserData.rowLimit + 1])
        let data = try await userData.data(of: .device(id: "d"))
        #expect(data.favourites.count == UserData.rowLimit && !data.isComplete)
        #expect(try await userData.erase(.device(id: "d")).favourites == UserData.rowLimit + 1, "all are erased")
    }
}

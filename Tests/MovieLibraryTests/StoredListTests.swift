import GRDB
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import Testing

/// The favourites and the watchlists of a library share only the films' links.
struct StoredListTests {
    private let owner = Owner.device(id: "d")

    private func film(_ id: String) throws -> Favourite {
        Favourite(movie: .whole(try #require(MovieID(id))), addedAt: Instant(secondsSince1970: 1))
    }

    private func ids(_ list: SQLiteFavourites, of owner: Owner) async throws -> [String] {
        try await list.favourites(of: owner, page: 1, size: 20).results.map(\.movie.id.description)
    }

    @Test func theListsAreApart() async throws {
        let database = try LibraryDatabase()
        let favourites = SQLiteFavourites(database)
        let watchlist = SQLiteFavourites(database, list: .watchlist)
        let (liked, wanted, both) = (try self.film("heat-1995"), try self.film("tmdb:603"), try self.film("tmdb:604"))
        for film in [liked, both] { #expect(try await favourites.put(film, of: self.owner, limit: 2) == true) }
        for film in [wanted, both] { #expect(try await watchlist.put(film, of: self.owner, limit: 2) == true) }
        #expect(try await self.ids(favourites, of: self.owner) == ["tmdb:604", liked.movie.id.description])
        #expect(try await self.ids(watchlist, of: self.owner) == ["tmdb:604", "tmdb:603"])
        try await favourites.remove(both.movie.id, of: self.owner)
        #expect(try await watchlist.favourite(both.movie.id, of: self.owner) == both)
        let account = Owner.account(.tmdb, id: "7")
        #expect(try await watchlist.move(from: self.owner, to: account, limit: 9) == 2)
        #expect(try await self.ids(favourites, of: self.owner) == [liked.movie.id.description], "stay with the device")
        #expect(try await self.ids(watchlist, of: account) == ["tmdb:604", "tmdb:603"])
    }

    @Test func eachListHasALimitOfItsOwn() async throws {
        let database = try LibraryDatabase()
        let favourites = SQLiteFavourites(database, totalLimit: 2)
        let watchlist = SQLiteFavourites(database, list: .watchlist, totalLimit: 1)
        let lasting = Owner.account(.tmdb, id: "7")
        for number in 1...2 {
            #expect(try await favourites.put(self.film("tmdb:\(number)"), of: lasting, limit: 9) == true)
        }
        #expect(try await watchlist.put(self.film("tmdb:1"), of: self.owner, limit: 9) == true)
        #expect(try await watchlist.put(self.film("tmdb:2"), of: lasting, limit: 9) == true, "no session reaches d")
        #expect(try await self.ids(watchlist, of: self.owner).isEmpty)
        let failure = await #expect(throws: StorageFailure.self) {
            try await watchlist.put(self.film("tmdb:3"), of: lasting, limit: 9)
        }
        #expect(failure?.reason == "the limit of 1 films on watchlists is reached")
        #expect(try await self.ids(favourites, of: lasting) == ["tmdb:2", "tmdb:1"])
    }

    @Test func snapshotsOfBothListsExpireOnDisk() async throws {
        let (library, clock) = (LibraryFile(), ManualTimeOfDay())
        let database = try library.open()
        for list in StoredList.allCases {
            let stored = SQLiteFavourites(database, list: list, now: clock.now)
            _ = try await stored.put(self.film("tmdb:603"), of: self.owner, limit: 9)
        }
        clock.advance(seconds: 180 * 86_400)
        for list in StoredList.allCases {
            _ = try await self.ids(SQLiteFavourites(database, list: list, now: clock.now), of: self.owner)
            let kept = try library.text("SELECT snapshot FROM \(list.rawValue)")
            #expect(kept?.contains("title") == true && kept?.contains("overview") == false)
        }
    }

    @Test("two entries of one film become one when it is linked", arguments: StoredList.allCases)
    func linked(_ list: StoredList) async throws {
        let database = try LibraryDatabase()
        let stored = SQLiteFavourites(database, list: list)
        for id in ["kobis:20228555", "tmdb:301"] { _ = try await stored.put(self.film(id), of: self.owner, limit: 9) }
        try await SQLiteFilmLinks(database).keep(
            FilmLink(
                film: #require(MovieID("kobis:20228555")), counterpart: #require(MovieID("tmdb:301")),
                reason: "same title, 2022 in both", linkedAt: Instant(secondsSince1970: 1)))
        #expect(try await self.ids(stored, of: self.owner) == ["tmdb:301"])
        let total = try await database.read { try Int.fetchOne($0, sql: "SELECT total FROM \(list.rawValue)Count") }
        #expect(total == 1, "the count of all follows")
    }

    @Test func aLibraryOfTheVersionBeforeGetsAWatchlist() async throws {
        let library = LibraryFile()
        let old = try DatabaseQueue(path: library.path)
        try LibraryDatabase.migrator.migrate(old, upTo: "search in memory")
        try old.close()
        try library.change(
            """
            INSERT INTO favourite (owner, movie, addedAt, snapshotFormat, snapshot)
            VALUES ('device:d', 'tmdb:301', 1, 1, '{"title": "A"}')
            """)
        let database = try library.open()
        #expect(try await self.ids(SQLiteFavourites(database), of: self.owner) == ["tmdb:301"])
        let watchlist = SQLiteFavourites(database, list: .watchlist)
        #expect(try await self.ids(watchlist, of: self.owner).isEmpty)
        #expect(try await checkContract(of: watchlist) == [])
    }
}

import GRDB
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct SQLiteFilmLinksTests {
    private let owner = Owner.device(id: "d")
    private let other = Owner.account(.tmdb, id: "7")

    private func link(_ film: String = "kobis:20228555", _ counterpart: String = "tmdb:301") throws -> FilmLink {
        FilmLink(
            film: try #require(MovieID(film)), counterpart: try #require(MovieID(counterpart)),
            reason: "same title, 2022 in both", linkedAt: Instant(secondsSince1970: 1000))
    }

    private func put(_ id: MovieID, of owner: Owner, in favourites: SQLiteFavourites) async throws {
        let favourite = Favourite(movie: .whole(id), addedAt: Instant(secondsSince1970: 1))
        _ = try await favourites.put(favourite, of: owner, limit: 9)
    }

    @Test func keepTheirPromisesInAFileAndInMemory() async throws {
        let library = LibraryFile()
        #expect(try await checkContract(of: SQLiteFilmLinks(try library.open())) == [])
        #expect(try await checkContract(of: SQLiteFilmLinks(try LibraryDatabase())) == [])
        #expect(try await checkContract(of: MemoryFilmLinks()) == [])
    }

    @Test func surviveAReopening() async throws {
        let library = LibraryFile()
        let first = try library.open()
        try await SQLiteFilmLinks(first).keep(self.link())
        try first.close()
        let links = SQLiteFilmLinks(try library.open())
        #expect(try await links.links(of: [self.link().counterpart]) == [self.link()])
    }

    @Test func aLinkIsWrittenOnceAndReadOnce() async throws {
        let library = LibraryFile()
        let links = SQLiteFilmLinks(try library.open())
        let link = try self.link()
        try await links.keep(link)
        let later = FilmLink(
            film: link.film, counterpart: link.counterpart, reason: link.reason, linkedAt: Instant(secondsSince1970: 9))
        try await links.keep(later)
        #expect(try await links.link(of: link.film) == link, "when it was linked is kept")
        try library.change("DELETE FROM filmLink")
        #expect(try await links.link(of: link.film) == link, "from memory")
        #expect(try await SQLiteFilmLinks(try library.open()).link(of: link.film) == nil)
    }

    @Test func twoFavouritesOfOneFilmBecomeOneWhenItIsLinked() async throws {
        let database = try LibraryDatabase()
        let (links, favourites) = (SQLiteFilmLinks(database), SQLiteFavourites(database))
        let link = try self.link()
        let sibling = try self.link("kmdb:K12345")
        for id in [link.film, link.counterpart] { try await self.put(id, of: self.owner, in: favourites) }
        for id in [link.film, sibling.film] { try await self.put(id, of: self.other, in: favourites) }
        try await links.keep(link)
        let all = [link.film, link.counterpart, sibling.film]
        #expect(try await favourites.favouriteIDs(among: all, of: self.owner) == [link.counterpart])
        #expect(try await favourites.favouriteIDs(among: all, of: self.other) == [link.film, sibling.film])
        try await links.keep(sibling)
        #expect(try await favourites.favouriteIDs(among: all, of: self.other) == [link.film])
        let page = try await favourites.favourites(of: self.owner, page: 1, size: 9)
        #expect(page.totalResults == 1)
        let total = try await database.read { try Int.fetchOne($0, sql: "SELECT total FROM favouriteCount") }
        #expect(total == 2, "the count of all follows")
    }

    @Test func theOldestAreDeletedFirst() async throws {
        let library = LibraryFile()
        let database = try library.open()
        let all = SQLiteFilmLinks(database)
        for number in 1...5 { try await all.keep(self.link("kobis:\(number)", "tmdb:\(number)")) }
        let links = SQLiteFilmLinks(database, limit: 3)
        #expect(try await links.links(of: [#require(MovieID("kobis:1"))]).count == 1)
        try await links.keep(self.link("kobis:6", "tmdb:6"))
        let ids = (1...6).compactMap { MovieID("kobis:\($0)") }
        #expect(Set(try await links.links(of: ids).map(\.film)) == Set(ids.suffix(3)))
        #expect(try library.count("filmLink") == 3)
    }

    @Test func aFileOfAnEarlierVersionKeepsItsFavourites() async throws {
        let library = LibraryFile()
        let link = try self.link()
        let old = try DatabaseQueue(path: library.path)
        try LibraryDatabase.migrator.migrate(old, upTo: "ages of snapshots")
        try old.close()
        try library.change(
            """
            INSERT INTO favourite (owner, movie, addedAt, snapshotFormat, snapshot)
            VALUES ('device:d', 'kobis:20228555', 1, 1, '{"title": "A"}'), ('device:d', 'tmdb:301', 2, 1, '{"title": "A"}')
            """)
        let database = try library.open()
        #expect(try library.count("favourite") == 2)
        try await SQLiteFilmLinks(database).keep(link)
        let marked = try await SQLiteFavourites(database).favouriteIDs(
            among: [link.film, link.counterpart], of: self.owner)
        #expect(marked == [link.counterpart])
    }

    @Test func rowsThatCannotBeReadAreLeftOut() async throws {
        let library = LibraryFile()
        let database = try library.open()
        try library.change(
            "INSERT INTO filmLink (film, counterpart, reason, linkedAt) VALUES ('kobis:1', 'NO/FILM', '', 1)")
        #expect(try await SQLiteFilmLinks(database).links(of: [#require(MovieID("kobis:1"))]).isEmpty)
    }

    @Test func aDatabaseThatDoesNotWorkIsAFailureOfStorage() async throws {
        let library = LibraryFile()
        let links = SQLiteFilmLinks(try library.open())
        try library.change("DROP TABLE filmLink")
        let link = try self.link()
        await #expect(throws: StorageFailure.self) { try await links.links(of: [link.film]) }
        await #expect(throws: StorageFailure.self) { try await links.keep(link) }
    }
}

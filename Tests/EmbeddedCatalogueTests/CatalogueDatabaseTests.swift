import GRDB
import LibraryTesting
import MovieDomain
import MovieLibrary
import PosterTesting
import Testing

@testable import EmbeddedCatalogue

struct CatalogueDatabaseTests {
    @Test func whatWasImportedMeanwhileIsSeen() async throws {
        let fixture = try EmbeddedFixture()
        let before = try await fixture.movies.all(limit: 1000, language: LanguagePreference([.korean]))
        try await fixture.library.writer.write { db in
            try db.execute(
                sql: """
                    DELETE FROM film WHERE id <> 'm-1931';
                    UPDATE catalogue SET fingerprint = 'another'
                    """)
        }
        let after = try await fixture.movies.all(limit: 1000, language: LanguagePreference([.korean]))
        #expect(before.count == 48)
        #expect(after.map(\.id.key) == ["m-1931"])
    }

    @Test func anImportTouchesNothingElse() async throws {
        let library = try LibraryDatabase()
        let films = CatalogueDatabase(library)
        try await library.writer.write { db in
            try db.execute(sql: "CREATE TABLE kept (id TEXT); INSERT INTO kept VALUES ('m-1931')")
        }
        try films.importCatalogue(CatalogueResource())
        try await library.writer.write { db in try db.execute(sql: "UPDATE catalogue SET fingerprint = 'old'") }
        #expect(try films.importCatalogue(CatalogueResource()))
        let kept = try await library.writer.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM kept") }
        #expect(kept == 1)
        let query = try #require(MovieQuery("하녀"))
        let catalogue = EmbeddedMovieCatalogue(films) { Instant(secondsSince1970: 0) }
        #expect(try await catalogue.search(query, page: 1, language: LanguagePreference([.korean])).totalResults == 1)
    }

    @Test func aLibraryOfTheFirstVersionIsFilledAnew() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let old = try DatabaseQueue(path: path)
        try LibraryDatabase.migrator.migrate(old, upTo: "films")
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO film (id, position, originalTitle, originalLanguage, year, overview)
                    VALUES ('m-1931', 0, 'M', 'de', 1931, '');
                    INSERT INTO filmTitle VALUES ('m-1931', 'en', 'M');
                    INSERT INTO filmGenre VALUES ('m-1931', 0, 'crime');
                    INSERT INTO catalogue VALUES ('embedded', '1-old')
                    """)
        }
        try old.close()
        let library = try LibraryDatabase(path: path)
        let films = CatalogueDatabase(library)
        #expect(try films.importCatalogue(CatalogueResource()))
        #expect(try await EmbeddedMovies(films).all(limit: 100, language: LanguagePreference([.korean])).count == 48)
    }

    @Test func asManyStatementsAreAskedForManyFilmsAsForFew() async throws {
        let fixture = try EmbeddedFixture()
        _ = try await fixture.movies.all(limit: 1, language: LanguagePreference([.korean]))
        let statements = Statements()
        try await fixture.library.writer.write { db in db.trace { _ in statements.count() } }
        var counts: [[Int]] = [[], []]
        for page in 1...3 {
            _ = try await fixture.catalogue.list(.popular, page: page, language: LanguagePreference([.korean]))
            counts[0].append(statements.take())
        }
        for text in ["하녀", "오즈", "a"] {
            let query = try #require(MovieQuery(text))
            _ = try await fixture.catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
            counts[1].append(statements.take())
        }
        // Includes the statements of the transaction and of the index.
        #expect(counts[0].dropFirst().allSatisfy { (1...8).contains($0) }, "\(counts)")
        #expect(counts[1].allSatisfy { (1...16).contains($0) }, "\(counts)")
    }

    @Test func theIndexOfPeopleIsSmall() async throws {
        let (people, byteCount) = try await EmbeddedFixture().films.read { _, catalogue in
            (catalogue.people.people.count, catalogue.people.search.byteCount)
        }
        #expect(people == 312)
        #expect(byteCount <= 192 << 10, "\(byteCount)")
    }

    @Test func aLibraryThatCannotBeReadIsUnavailable() async throws {
        let fixture = try EmbeddedFixture()
        try await fixture.library.writer.write { db in try db.execute(sql: "DROP TABLE catalogue") }
        let error = await #expect(throws: SourceFailure.self) {
            try await fixture.catalogue.list(.popular, page: 1, language: LanguagePreference([.korean]))
        }
        #expect(error?.source == .embedded)
    }

    @Test func favouritesSurviveAReopeningAndAnotherCatalogue() async throws {
        let owner = Owner.device(id: "d")
        let library = LibraryFile()
        let first = try library.open()
        let films = CatalogueDatabase(first)
        try films.importCatalogue(CatalogueResource())
        let id = try #require(MovieID("metropolis-1927"))
        let movie = try #require(
            try await EmbeddedMovies(films).movie(id, language: LanguagePreference([.korean]))?.summary)
        let kept = Favourite(movie: movie, addedAt: Instant(secondsSince1970: 5))
        _ = try await SQLiteFavourites(first).put(kept, of: owner, limit: 9)
        try first.close()
        try library.change("DELETE FROM film")
        let favourites = SQLiteFavourites(try library.open())
        #expect(try await favourites.favourite(id, of: owner) == kept)
        #expect(try await favourites.favourites(of: owner, page: 1, size: 20).results == [kept])
    }
}

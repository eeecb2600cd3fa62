import GRDB
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct LibraryReadsTests {
    private let library = LibraryFile()
    private let owner = Owner.device(id: "d")

    /// Fails while a connection still reads an earlier state.
    private func emptyLog(of database: LibraryDatabase) throws {
        _ = try database.writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    @Test func aWriteIsOnTheDiskWhenItReturns() async throws {
        let database = try self.library.open()
        let synchronous = try await database.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        // FULL: SQLite synchronises the log at each commit.
        #expect(synchronous == 2)
    }

    @Test func aReadOfOneStatementIsOverWhenItReturns() async throws {
        let database = try self.library.open()
        let favourites = SQLiteFavourites(database)
        let sessions = SQLiteSessions(database, key: SecretKey(), now: { Instant(secondsSince1970: 1) })
        let token = AccessToken()
        let session = Session(owner: self.owner, upstream: nil, expiresAt: Instant(secondsSince1970: 2))
        try await sessions.keep(session, under: token)
        let film = Favourite(
            movie: .whole(try #require(MovieID("heat-1995"))), addedAt: Instant(secondsSince1970: 1))
        #expect(try await favourites.put(film, of: self.owner, limit: 1) == true)
        // Each statement is left at its first row, whether or not there are more.
        #expect(try await sessions.session(under: token, at: Instant(secondsSince1970: 1)) == session)
        #expect(try await favourites.favourite(film.movie.id, of: self.owner) == film)
        #expect(try await favourites.favouriteIDs(among: [film.movie.id], of: self.owner) == [film.movie.id])
        let number = try await database.readByOneStatement { db in
            try Int.fetchOne(db.cachedStatement(sql: "SELECT value FROM json_each('[1,2,3]')"))
        }
        #expect(number == 1)
        try self.emptyLog(of: database)
    }

    @Test func aReadOfOneStatementSeesEveryEarlierWrite() async throws {
        let database = try self.library.open()
        let favourites = SQLiteFavourites(database)
        let film = Favourite(
            movie: .whole(try #require(MovieID("heat-1995"))), addedAt: Instant(secondsSince1970: 1))
        for _ in 0..<3 {
            _ = try await favourites.put(film, of: self.owner, limit: 1)
            #expect(try await favourites.favouriteIDs(among: [film.movie.id], of: self.owner) == [film.movie.id])
            try await favourites.remove(film.movie.id, of: self.owner)
            #expect(try await favourites.favouriteIDs(among: [film.movie.id], of: self.owner) == [])
        }
    }

    @Test func aFailedReadOfOneStatementIsReportedAndHoldsNothing() async throws {
        let clock = ManualTimeOfDay()
        let database = try LibraryDatabase(
            path: self.library.path, logger: WarningCounter().logger, now: clock.now)
        await #expect(throws: StorageFailure.self) {
            try await database.readByOneStatement { db in
                try Int.fetchOne(db.cachedStatement(sql: "SELECT json('x')"))
            }
        }
        #expect(!database.state.isReadable)
        #expect(try await database.readByOneStatement { try Int.fetchOne($0, sql: "SELECT 1") } == 1)
        #expect(database.state.isReadable)
        try self.emptyLog(of: database)
    }
}

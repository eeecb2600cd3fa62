import Flights
import GRDB
import LibraryTesting
import MovieDomain
import MovieTesting
import PosterTesting
import RebuildableDatabase
import Testing

@testable import MovieLibrary

@Suite(.timeLimit(.hang))
struct LibraryHealthTests {
    private let clock = ManualTimeOfDay()
    private let library = LibraryFile()
    private let warnings = WarningCounter()
    private let owner = Owner.device(id: "d")

    private func open() throws -> LibraryDatabase {
        try LibraryDatabase(path: self.library.path, logger: self.warnings.logger, now: self.clock.now)
    }

    private func put(_ number: Int, in favourites: SQLiteFavourites) async throws -> Bool? {
        let movie = MovieSummary.whole(try #require(MovieID("film-\(number)")))
        return try await favourites.put(
            Favourite(movie: movie, addedAt: self.clock.now()), of: self.owner, limit: 100)
    }

    private func isRefused(_ number: Int, by favourites: SQLiteFavourites) async throws -> Bool {
        do {
            _ = try await self.put(number, in: favourites)
            return false
        } catch is StorageFailure {
            return true
        }
    }

    @Test func aFailedWriteIsLoggedOnceAndReported() async throws {
        let database = try self.open()
        let favourites = SQLiteFavourites(database, now: self.clock.now)
        try self.library.change(
            "CREATE TRIGGER trouble BEFORE INSERT ON favourite BEGIN SELECT RAISE(FAIL, 'no room'); END")
        for number in 0..<20 { #expect(try await self.isRefused(number, by: favourites)) }
        #expect(self.warnings.count == 1, "and not for every request")
        #expect(database.state == LibraryDatabase.State(isReadable: true, isWritable: false))
        try self.library.change("DROP TRIGGER trouble")
        #expect(try await self.put(1, in: favourites) == true)
        #expect(database.state == LibraryDatabase.State(isReadable: true, isWritable: true))
    }

    @Test func thatTroubleIsOverIsFoundOutWithoutRequests() async throws {
        let database = try self.open()
        try self.library.change("ALTER TABLE favourite RENAME TO elsewhere")
        await #expect(throws: StorageFailure.self) {
            try await SQLiteFavourites(database).favourites(of: self.owner, page: 1, size: 1)
        }
        try self.library.change("ALTER TABLE elsewhere RENAME TO favourite")
        #expect(!database.state.isReadable, "nobody has tried")
        self.clock.advance(seconds: LibraryHealth.probeSeconds)
        try await eventually { database.state.isReadable }
    }

    @Test func aFullLibraryIsReportedAndIsNoFaultOfTheDisk() async throws {
        let database = try self.open()
        let favourites = SQLiteFavourites(database, totalLimit: 1, now: self.clock.now)
        #expect(try await self.put(1, in: favourites) == true)
        try await SQLiteSessions(database, key: SecretKey(), now: self.clock.now).keep(
            Session(owner: self.owner, upstream: nil, expiresAt: Instant(secondsSince1970: 9999)), under: AccessToken())
        for number in 2...4 { #expect(try await self.isRefused(number, by: favourites)) }
        #expect(self.warnings.count == 1)
        #expect(database.state.isWritable)
    }

    @Test func aFaultThatComesAndGoesIsLoggedOnceAMinute() {
        let health = LibraryHealth(logger: self.warnings.logger, now: self.clock.now)
        for _ in 0..<120 {
            health.failed(.writing, StorageFailure(reason: "full"))
            health.succeeded(.writing)
            self.clock.advance(seconds: 1)
        }
        #expect(self.warnings.count == 4, "with their ends")
        health.close()
        self.clock.advance(seconds: 60)
        health.failed(.writing, StorageFailure(reason: "closed"))
        #expect(self.warnings.count == 4)
    }

    @Test func aShortLockIsWaitedFor() async throws {
        let isWaiting = Gate()
        let busyHandler = BusyHandler { isWaiting.open() }
        let favourites = SQLiteFavourites(try LibraryDatabase(path: self.library.path, busyHandler: busyHandler))
        let other = try DatabaseQueue(path: self.library.path)
        let (isLocked, mayGo) = (Gate(), Latch())
        let holder = Task {
            try await onOwnThread {
                try other.inDatabase { db in
                    try db.execute(sql: "BEGIN IMMEDIATE")
                    isLocked.open()
                    mayGo.wait()
                    try db.execute(sql: "COMMIT")
                }
            }
        }
        try await isLocked.wait()
        let put = Task { try await self.put(1, in: favourites) }
        try await isWaiting.wait()
        mayGo.open()
        #expect(try await put.value == true)
        try await holder.value
    }

    @Test func readsAtOnceSeeWhatWasWrittenBeforeThem() async throws {
        let database = try self.open()
        let favourites = SQLiteFavourites(database, now: self.clock.now)
        for number in 1...4 {
            #expect(try await self.put(number, in: favourites) == true)
            try await withThrowingTaskGroup(of: Int?.self) { reads in
                for _ in 0..<16 {
                    reads.addTask {
                        try await database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM favourite") }
                    }
                }
                for try await count in reads { #expect(count == number) }
            }
        }
        try database.close()
        await #expect(throws: StorageFailure.self) {
            try await database.read { db in try Row.fetchOne(db, sql: "SELECT 1") == nil }
        }
    }
}

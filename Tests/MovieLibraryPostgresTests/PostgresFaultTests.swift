import Flights
import Glibc
import Logging
import MovieDomain
import MovieLibrary
import PosterTesting
import Testing

@testable import MovieLibraryPostgres

/// A database that is not there, hangs, or restarts.
@Suite(
    .timeLimit(.minutes(5)), .enabled(if: PostgresServer.isAvailable, "PostgreSQL 15 (postgresql-15) is not installed"))
struct PostgresFaultTests {
    private let owner = Owner.device(id: "d")

    @Test func aDatabaseThatIsNotThereFailsAtOnceAndIsTriedAgainLater() async throws {
        let (clock, metrics, log) = (ManualClock(), PostgresMetrics(), LogRecorder())
        clock.advance(by: .seconds(1))
        let pool = PostgresPool(
            url: "postgres:///none?host=/nowhere", limits: PostgresFixture.patient, metrics: metrics,
            now: { clock.now() })
        for _ in 0..<2 {
            await #expect(throws: PostgresFailure.self) { try await pool.run(patience: .seconds(30)) { _ in } }
        }
        let library = PostgresLibrary(
            url: "postgres:///none?host=/nowhere", limits: PostgresFixture.patient, logger: log.logger(),
            metrics: metrics)
        #expect(library.state == LibraryDatabase.State(isReadable: true, isWritable: true), "nothing was tried yet")
        for _ in 0..<3 {
            await #expect(throws: StorageFailure.self) {
                try await PostgresFavourites(library).favourites(of: self.owner, page: 1, size: 9)
            }
        }
        #expect(!library.state.isReadable)
        #expect(log.warnings().count == 2, "one line of reads and one of writes, not one for each request")
        let id = try #require(MovieID("kobis:1"))
        #expect(
            try await PostgresPosterDecisions(library).decision(for: id, at: Instant(secondsSince1970: 1)) == nil,
            "a decision is made again")
    }

    @Test func theBackOffDoublesAndLetsOneCallTry() {
        var backOff = PostgresBackOff()
        func isRefused(_ now: UInt64) -> Bool {
            if case .refused = backOff.admit(at: now) { true } else { false }
        }
        func isTrial(_ now: UInt64) -> Bool {
            if case .trial = backOff.admit(at: now) { true } else { false }
        }
        #expect(!isRefused(0) && !isTrial(0))
        var now: UInt64 = 1
        backOff.failed("a", at: now)
        backOff.failed("a", at: now)
        var delay = PostgresBackOff.first
        for _ in 0..<8 {
            #expect(isRefused(now + delay - 1))
            now += delay
            #expect(isTrial(now) && isRefused(now))
            backOff.failed("a", at: now)
            delay = min(delay * 2, PostgresBackOff.longest)
        }
        #expect(isTrial(now + delay))
        backOff.succeeded()
        #expect(!isRefused(now) && backOff.refusal == nil)
    }

    @Test func aRestartOfTheServerCostsNothingThatIsKept() async throws {
        let server = try await PostgresServer.make()
        let fixture = try await PostgresFixture(server)
        let library = fixture.node()
        let favourites = PostgresFavourites(library)
        let favourite = Favourite(movie: .whole(MovieID("film-1")!), addedAt: Instant(secondsSince1970: 1))
        #expect(try await favourites.put(favourite, of: self.owner, limit: 9) == true)
        server.crash()
        await #expect(throws: StorageFailure.self) {
            try await favourites.favourite(favourite.movie.id, of: self.owner)
        }
        #expect(!library.state.isReadable)
        try server.start()
        try await server.accepts()
        try await eventually { (try? await favourites.favourite(favourite.movie.id, of: self.owner)) == favourite }
        #expect(library.state.isReadable)
        server.stop()
    }

    @Test func aServerThatHangsHoldsNeitherCallersNorThreads() async throws {
        let server = try await PostgresServer.make()
        let fixture = try await PostgresFixture(server)
        var limits = PostgresLimits()
        (limits.callMilliseconds, limits.connectMilliseconds) = (300, 300)
        (limits.connections, limits.patienceMilliseconds) = (1, 30_000)
        let favourites = PostgresFavourites(fixture.node(limits))
        let id = try #require(MovieID("film-1"))
        try await fixture.node().connect()
        try fixture.server.execute("ALTER TABLE favourite ADD COLUMN novelty text", in: fixture.database)
        let lock = try PostgresConnection(url: server.url(fixture.database), deadline: PostgresServer.soon)
        try lock.executeScript("BEGIN; LOCK TABLE favourite IN ACCESS EXCLUSIVE MODE")
        await #expect(throws: StorageFailure.self) { try await favourites.favourite(id, of: self.owner) }
        try lock.executeScript("ROLLBACK")
        server.signal(SIGSTOP)
        await #expect(throws: StorageFailure.self) { try await favourites.favourite(id, of: self.owner) }
        server.signal(SIGCONT)
        try await eventually { (try? await favourites.favourites(of: self.owner, page: 1, size: 9)) != nil }
        server.stop()
    }

    @Test func aCallerThatIsCancelledLeavesAtOnceAndNothingIsWritten() async throws {
        let fixture = try await PostgresFixture()
        let library = fixture.node()
        try await library.connect()
        let lock = try PostgresConnection(
            url: fixture.server.url(fixture.database), deadline: PostgresServer.soon)
        try lock.executeScript("BEGIN; LOCK TABLE favourite IN ACCESS EXCLUSIVE MODE")
        let favourites = PostgresFavourites(library)
        let favourite = Favourite(movie: .whole(MovieID("film-1")!), addedAt: Instant(secondsSince1970: 1))
        let call = Task { try await favourites.put(favourite, of: self.owner, limit: 9) }
        try await eventually { library.usage.used == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(library.usage.used == 1, "its statement goes on")
        try lock.executeScript("ROLLBACK")
        try await eventually { library.usage.used == 0 }
        #expect(try fixture.count("favourite") == 0)
    }

    @Test func valuesOfAllKindsReturnAsTheyWere() async throws {
        let fixture = try await PostgresFixture()
        let connection = try PostgresConnection(
            url: fixture.server.url(fixture.database), deadline: PostgresServer.soon)
        let values: [PostgresValue] = [
            .text(""), .text("é \"'\\ 🎬\n{}"), .bytes([]), .bytes([0, 1, 92, 255]), .integer(.min), .integer(.max),
            .null,
        ]
        let result = try connection.execute(
            "SELECT $1::text, $2::text, $3::bytea, $4::bytea, $5::bigint, $6::bigint, $7::text", values)
        #expect(result.rows.map(\.values) == [values])
        #expect(throws: PostgresFailure.self) { try connection.execute("SELECT $1::text", [.text("a\0b")]) }
        #expect(throws: PostgresFailure.self) { try connection.execute("SELECT 1 FROM nothing") }
        #expect(connection.isUsable)
        #expect(try connection.execute("SELECT 1 + 1").integer == 2)
    }
}

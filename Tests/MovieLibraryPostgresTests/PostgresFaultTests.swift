import Flights
import Glibc
import Logging
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

@testable import MovieLibraryPostgres

/// A database server that is missing, hangs, or restarts.
@Suite(
    .timeLimit(.hang), .enabled(if: PostgresServer.isAvailable, "\(PostgresServer.absence)"))
struct PostgresFaultTests {
    private let owner = Owner.device(id: "d")
    private let call = PostgresCall(need: .essential, isWrite: false)

    @Test func aDatabaseThatIsNotThereFailsAtOnceAndIsTriedAgainLater() async throws {
        let (clock, metrics, log) = (ManualClock(), PostgresMetrics(), LogRecorder())
        clock.advance(by: .seconds(1))
        let pool = PostgresPool(
            url: "postgres:///none?host=/nowhere", limits: PostgresFixture.patient, metrics: metrics,
            now: { clock.now() })
        for _ in 0..<2 {
            await #expect(throws: PostgresFailure.self) { try await pool.run(self.call) { _ in } }
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
        let state = library.serverState
        #expect(state.breaker == "open" && state.fault == "unreachable" && state.retryAfter != nil, "\(state)")
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
        #expect(!library.state.isReadable && library.serverState.fault == "unreachable")
        try server.start()
        try await server.accepts()
        try await eventually { (try? await favourites.favourite(favourite.movie.id, of: self.owner)) == favourite }
        #expect(library.state.isReadable && library.serverState.fault == nil)
        #expect(library.serverState.breaker == "closed")
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
        try await fixture.execute("ALTER TABLE favourite ADD COLUMN novelty text")
        let lock = try PostgresConnection(url: fixture.url)
        try lock.executeScript("BEGIN; LOCK TABLE favourite IN ACCESS EXCLUSIVE MODE")
        await #expect(throws: StorageFailure.self) { try await favourites.favourite(id, of: self.owner) }
        try lock.executeScript("ROLLBACK")
        server.signal(SIGSTOP)
        await #expect(throws: StorageFailure.self) { try await favourites.favourite(id, of: self.owner) }
        server.signal(SIGCONT)
        try await eventually { (try? await favourites.favourites(of: self.owner, page: 1, size: 9)) != nil }
    }

    @Test func aServerThatIsStartedEmptyGetsItsTablesAgain() async throws {
        let server = try await PostgresServer.make()
        let fixture = try await PostgresFixture(server)
        let favourites = PostgresFavourites(fixture.node())
        #expect(try await favourites.put(.numbered(1), of: self.owner, limit: 9) == true)
        try await server.startEmpty()
        try await server.execute("CREATE DATABASE \(fixture.database)", in: "postgres")
        try await eventually { (try? await favourites.put(.numbered(2), of: self.owner, limit: 9)) == true }
        #expect(try await fixture.count("favourite") == 1)
    }

    @Test func tablesThatAreGoneUnderAConnectionAreMadeAgain() async throws {
        let fixture = try await PostgresFixture()
        let favourites = PostgresFavourites(fixture.node())
        #expect(try await favourites.put(.numbered(1), of: self.owner, limit: 9) == true)
        try await fixture.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        #expect(try await favourites.put(.numbered(2), of: self.owner, limit: 9) == true)
        #expect(try await fixture.count("favourite") == 1)
    }

    @Test func aConnectionToAStandbyIsGivenUpWhenSomethingIsWritten() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.node().connect()
        let name = fixture.database
        try await fixture.execute("ALTER DATABASE \(name) SET default_transaction_read_only = on")
        let library = fixture.node()
        let favourites = PostgresFavourites(library)
        await #expect(throws: StorageFailure.self) {
            try await favourites.put(.numbered(1), of: self.owner, limit: 9)
        }
        #expect(try await favourites.favourites(of: self.owner, page: 1, size: 9).results == [])
        #expect(library.state == LibraryDatabase.State(isReadable: true, isWritable: false))
        #expect(library.serverState.fault == "refused" && library.serverState.breaker == "closed")
        // Existing connections remain.
        try await fixture.server.execute(
            "ALTER DATABASE \(name) SET default_transaction_read_only = off", in: "postgres")
        #expect(try await favourites.put(.numbered(1), of: self.owner, limit: 9) == true)
    }

    @Test func aFullDiskRefusesWritesOnly() async throws {
        let fixture = try await PostgresFixture()
        let library = fixture.node()
        let favourites = PostgresFavourites(library)
        #expect(try await favourites.put(.numbered(1), of: self.owner, limit: 9) == true)
        try await fixture.execute(
            """
            CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$;
            CREATE TRIGGER fill BEFORE INSERT ON favourite FOR EACH ROW EXECUTE FUNCTION fill()
            """)
        await #expect(throws: StorageFailure.self) {
            try await favourites.put(.numbered(2), of: self.owner, limit: 9)
        }
        #expect(try await favourites.favourites(of: self.owner, page: 1, size: 9).results == [.numbered(1)])
        #expect(library.state == LibraryDatabase.State(isReadable: true, isWritable: false))
        #expect(library.serverState.fault == "full" && library.serverState.breaker == "closed")
        try await fixture.execute("DROP TRIGGER fill ON favourite")
        #expect(try await favourites.put(.numbered(2), of: self.owner, limit: 9) == true)
        #expect(library.state.isWritable && library.serverState.fault == nil)
    }

    @Test func aWrongPasswordIsAFaultUntilItIsRight() async throws {
        let server = try await PostgresServer.make()
        let fixture = try await PostgresFixture(server)
        try await fixture.execute("ALTER USER \(PostgresServer.user) PASSWORD 'right'")
        try server.requirePasswords(true)
        let url = fixture.url + "&password=wrong"
        try await eventually { (try? PostgresConnection(url: url)) == nil }
        let library = fixture.node(url: url)
        let failure = await #expect(throws: StorageFailure.self) { try await library.connect() }
        let reason = try #require(failure?.reason)
        #expect(reason.contains("password authentication failed") && !reason.contains("wrong"), "\(reason)")
        #expect(library.serverState.fault == "unreachable")
        try server.requirePasswords(false)
        try await eventually { (try? await library.connect()) != nil }
    }

    @Test func whatCanDoWithoutAResultDoesNotWaitAgainForASlowServer() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.node().connect()
        var limits = PostgresFixture.patient
        limits.shortPatienceMilliseconds = 50
        let pool = PostgresPool(url: fixture.url, limits: limits, metrics: PostgresMetrics(), now: Uptime.nanoseconds)
        let lock = try PostgresConnection(url: fixture.url)
        try lock.executeScript("BEGIN; LOCK TABLE poster_decision IN ACCESS EXCLUSIVE MODE")
        let call = PostgresCall(need: .supplementary, isWrite: false)
        func failure() async -> PostgresFailure? {
            do {
                try await pool.run(call) { _ = try $0.execute("SELECT 1 FROM poster_decision") }
                return nil
            } catch {
                return error as? PostgresFailure
            }
        }
        let first = await failure()
        #expect(first?.fault == "slow")
        let second = try #require(await failure())
        #expect(second.fault == nil, "nothing was tried")
        #expect(pool.breaker.state == "closed")
        try await pool.run(self.call) { _ = try $0.execute("SELECT 1") }
        try lock.executeScript("ROLLBACK")
        // A success of a user's call or of the node's watch ends the fault.
        try await eventually {
            try await pool.run(self.call) { _ = try $0.execute("SELECT 1") }
            return await failure() == nil
        }
    }

    @Test func whatCanDoWithoutAResultDoesNotFindOutWhetherAServerWorksAgain() {
        var backOff = PostgresBackOff()
        backOff.failed("a", at: 0)
        func isRefused(mayTry: Bool) -> Bool {
            if case .refused = backOff.admit(at: PostgresBackOff.longest, mayTry: mayTry) { true } else { false }
        }
        #expect(isRefused(mayTry: false))
        #expect(!isRefused(mayTry: true))
    }

    @Test func aHostThatHangsDoesNotHoldUpTheNext() async throws {
        let (hanging, working) = (try await PostgresServer.make(), try await PostgresFixture())
        hanging.signal(SIGSTOP)
        let url =
            "postgres:///\(working.database)?host=\(hanging.folder),\(working.server.folder)"
            + "&port=\(hanging.port),\(working.server.port)&user=\(PostgresServer.user)"
        #expect(PostgresHost.hosts(of: url).count == 2)
        #expect(PostgresHost.hosts(of: working.url) == [], "libpq needs no help with one")
        var limits = PostgresFixture.patient
        limits.connectMilliseconds = 2000
        try await working.node(limits, url: url).connect()
        hanging.stop()
        try await working.node(limits, url: url).connect()
    }

    @Test func aCallerThatIsCancelledLeavesAtOnceAndNothingIsWritten() async throws {
        let fixture = try await PostgresFixture()
        let library = fixture.node()
        try await library.connect()
        let lock = try PostgresConnection(url: fixture.url)
        try lock.executeScript("BEGIN; LOCK TABLE favourite IN ACCESS EXCLUSIVE MODE")
        let favourites = PostgresFavourites(library)
        let favourite = Favourite(movie: .whole(MovieID("film-1")!), addedAt: Instant(secondsSince1970: 1))
        let call = Task { try await favourites.put(favourite, of: self.owner, limit: 9) }
        try await eventually { library.serverState.used == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(library.serverState.used == 1, "its statement goes on")
        try lock.executeScript("ROLLBACK")
        try await eventually { library.serverState.used == 0 }
        #expect(try await fixture.count("favourite") == 0)
    }

    @Test func valuesOfAllKindsReturnAsTheyWere() async throws {
        let fixture = try await PostgresFixture()
        let connection = try PostgresConnection(url: fixture.url)
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

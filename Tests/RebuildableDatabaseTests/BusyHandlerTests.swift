import Flights
import GRDB
import PosterTesting
import Testing

@testable import RebuildableDatabase

@Suite(.timeLimit(.hang))
struct BusyHandlerTests {
    @Test func allWaitTogetherForNoLongerThanTheLimit() {
        let handler = BusyHandler()
        #expect(handler.allowsWaiting(at: 1000) && handler.allowsWaiting(at: 1000 + BusyHandler.limit - 1))
        #expect(!handler.allowsWaiting(at: 1000 + BusyHandler.limit))
        #expect(!handler.allowsWaiting(at: 1000 + BusyHandler.limit + 1), "the next one is refused at once")
        let later = 1000 + BusyHandler.limit + 1 + BusyHandler.forgettingTime + 1
        #expect(handler.allowsWaiting(at: later), "another program")
        #expect(!handler.allowsWaiting(at: later + BusyHandler.limit))
        handler.succeeded()
        #expect(handler.allowsWaiting(at: later + BusyHandler.limit))
    }

    @Test func aThreadThatHasReadTheClockBeforeAnotherOneWaitsAsLong() {
        let handler = BusyHandler()
        #expect(handler.allowsWaiting(at: 1000) && handler.allowsWaiting(at: 999))
        #expect(!handler.allowsWaiting(at: 1000 + BusyHandler.limit))
    }

    @Test func aWriterWaitsUntilAnotherProgramIsDone() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/notes.sqlite"
        let (isWaiting, mayGo) = (Gate(), Latch())
        let handler = BusyHandler {
            isWaiting.open()
            mayGo.wait()
        }
        var configuration = Configuration()
        configuration.busyMode = handler.mode
        let pool = try DatabasePool(path: path, configuration: configuration)
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        async let write: Void = pool.write { db in try db.execute(sql: "CREATE TABLE note (text TEXT)") }
        try await isWaiting.wait()
        try await other.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
        mayGo.open()
        try await write
        try pool.close()
        try other.close()
    }
}

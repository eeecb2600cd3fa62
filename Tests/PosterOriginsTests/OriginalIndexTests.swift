import FoundationEssentials
import GRDB
import PictureTesting
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins
@testable import RebuildableDatabase

@Suite(.timeLimit(.hang))
struct OriginalIndexTests {
    private let fixture = DiskFixture()
    private let picture = TestPicture.jpeg(width: 60, height: 90)

    private func index(rows: Int) throws -> OriginalIndex {
        try FileManager.default.createDirectory(atPath: self.fixture.originals, withIntermediateDirectories: true)
        let pool = try DatabasePool(path: self.fixture.index, configuration: OriginalIndex.configuration)
        try OriginalIndex.schema.prepare(pool)
        let index = OriginalIndex(
            database: pool, damage: DamagedRecords(of: "originals", logger: self.fixture.log.logger()))
        for number in 0..<rows {
            _ = try index.put(Self.row(number))
        }
        return index
    }

    private static func row(_ number: Int) throws -> OriginalRow {
        let id = try DiskFixture.id("film-\(number)")
        let header = OriginalFileHeader(
            id: id, location: DiskFixture.location, digest: Digest(of: "\(number)"), length: 5000,
            picture: try OriginalVerifier().verify(LoadedBytes(copying: TestPicture.jpeg(width: 16, height: 16))),
            validators: Validators(etag: "\"\(number)\""), freshness: DiskFixture.freshness, fetchedAt: 1_700_000_000)
        return try #require(OriginalRow(header, key: Digest(of: id.description), lastUsed: Int64(number)))
    }

    @Test func knowsItsTotalsWithoutCounting() throws {
        let index = try self.index(rows: 500)
        let totals = try index.totals()
        #expect(totals == OriginalIndex.Totals(count: 500, bytes: 500 * (4096 + 8192)))
        var longer = try Self.row(7)
        longer.header.length = 10_000
        let replaced = try index.put(longer)
        #expect(replaced == OriginalIndex.Totals(count: 500, bytes: 500 * (4096 + 8192) + 4096))
        let deleted = try index.delete(longer.key)
        #expect(deleted.wasThere)
        #expect(deleted.totals == OriginalIndex.Totals(count: 499, bytes: 499 * (4096 + 8192)))
        let recounted = try index.recount()
        #expect(recounted == deleted.totals)
        let oldest = try index.leastRecentlyUsed(limit: 3).map(\.lastUsed)
        #expect(oldest == [0, 1, 2])
        let keys = try (UInt8.min...UInt8.max).reduce(0) { try $0 + index.keys(beginningWith: $1).count }
        #expect(keys == 499)
        try index.database.checkpointAndClose()
        let log = try Data(contentsOf: URL(filePath: self.fixture.index + "-wal"))
        #expect(log.isEmpty, "the log is written into the database at the end")
    }

    @Test("SQLite maps no pages of the database: a file that is cut short is an error")
    func unmapped() throws {
        let index = try self.index(rows: 1)
        let sizes = try index.database.read { db in try Int.fetchAll(db, sql: "PRAGMA mmap_size") }
        let written = try index.database.writeWithoutTransaction { db in try Int.fetchAll(db, sql: "PRAGMA mmap_size") }
        #expect(sizes + written == [0, 0])
        try index.database.close()
    }

    @Test func validatorsOfARowThatCannotBeSentAreNone() throws {
        let index = try self.index(rows: 1)
        let key = try Self.row(0).key
        try index.database.write { db in
            try db.execute(sql: "UPDATE original SET etag = ?, lastModified = ?", arguments: ["\"a\u{1}b\"", "\u{e9}"])
        }
        let row = try #require(try index.row(key))
        #expect(row.header.validators.isEmpty)
        try index.database.close()
    }

    @Test func aRowIsReadAsItWasWritten() throws {
        let index = try self.index(rows: 3)
        let row = try Self.row(1)
        let read = try index.row(row.key)
        #expect(read == row)
        try index.database.close()
    }

    @Test(
        "a damaged index is made anew from the files",
        arguments: ["no database", "empty", "cut", "pages of it zeroed", "other tables", "rows that make no sense"])
    func damaged(how: String) async throws {
        try await self.fixture.withStore { store in
            for number in 0..<40 { try await store.put(self.picture, as: "film-\(number)") }
        }
        switch how {
        case "no database":
            try self.fixture.edit(self.fixture.index) { $0 = Array("something else".utf8) + $0.dropFirst(14) }
        case "empty": try self.fixture.edit(self.fixture.index) { $0 = [] }
        case "cut": try self.fixture.edit(self.fixture.index) { $0.removeLast($0.count / 2) }
        case "pages of it zeroed":
            try self.fixture.edit(self.fixture.index) { bytes in for offset in 4096..<bytes.count { bytes[offset] = 0 }
            }
        default:
            let index = try DatabaseQueue(path: self.fixture.index)
            try await index.writeWithoutTransaction { db in
                try db.execute(
                    sql: how == "other tables"
                        ? "DROP TABLE original; CREATE TABLE original (x)" : "UPDATE original SET digest = X'00'")
            }
            try index.close()
        }
        try await self.fixture.withStore { store in
            for number in 0..<40 {
                let read = try await store.get("film-\(number)")
                #expect(try read?.array == self.picture)
            }
            try await store.sweep()
            #expect(store.counters.count == 40)
            let warnings = self.fixture.log.warnings().filter { $0.lowercased().contains("damaged") }
            #expect(warnings.count == (how == "empty" ? 0 : 1), "an empty file is a new database")
        }
    }

    @Test func anIndexThatIsDeletedInUseIsMadeAnew() async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture, as: "heat")
            try self.fixture.removeIndex()
            try await store.put(self.picture, as: "ronin")
            try await store.put(self.picture, as: "thief")
            for key in ["heat", "ronin", "thief"] {
                let read = try await store.get(key)
                #expect(try read?.array == self.picture)
            }
            try await store.sweep()
        }
        try await self.fixture.withStore { store in
            try await store.sweep()
            #expect(store.counters.count == 3)
        }
    }

    @Test func withoutAnIndexTheFilesAreServed() async throws {
        let opened = try self.fixture.open()
        try await opened.store.put(self.picture)
        await opened.store.close()
        let read = try await opened.store.get()
        #expect(try read?.array == self.picture)
        #expect(read?.freshness == DiskFixture.freshness)
        let stored = try await opened.store.put(self.picture, as: "ronin")
        #expect(stored.isStored)
        withExtendedLifetime(opened) {}
    }
}

import DatabaseTesting
import FoundationEssentials
import GRDB
import PictureTesting
import PosterPipeline
import PosterTesting
import RebuildableDatabase
import Testing

@testable import PosterOrigins

@Suite(.timeLimit(.hang))
struct DamagedIndexTests {
    private let fixture = DiskFixture()
    private let picture = TestPicture.jpeg(width: 60, height: 90)

    private func row(_ number: Int) throws -> OriginalRow {
        let id = try DiskFixture.id("film-\(number)")
        let header = OriginalFileHeader(
            id: id, location: DiskFixture.location, digest: Digest(of: "\(number)"), length: 5000,
            picture: try OriginalVerifier().verify(LoadedBytes(copying: TestPicture.jpeg(width: 16, height: 16))),
            validators: Validators(etag: "\"\(number)\""), freshness: DiskFixture.freshness, fetchedAt: 1_700_000_000)
        return try #require(OriginalRow(header, key: Digest(of: id.description), lastUsed: Int64(number)))
    }

    @Test func anyDamagedCellCostsItsRowAtMost() throws {
        try FileManager.default.createDirectory(
            atPath: self.fixture.originals, withIntermediateDirectories: true)
        let index = try RebuildableIndex(
            path: self.fixture.index, logger: self.fixture.log.logger(), secondsSince1970: { 1_700_000_000 })
        let rows = try (0..<4).map { try self.row($0) }
        for seed in 0..<CellMutator.count {
            for row in rows { #expect(index.attempt { try $0.put(row) } != nil) }
            let mutation = index.attempt { index in
                try index.database.writeWithoutTransaction { db in
                    var mutator = CellMutator(seed: seed)
                    return try mutator.mutate(db)
                }
            }
            let comment = Comment(rawValue: mutation ?? "no mutation")
            #expect(mutation != nil)
            for row in rows {
                #expect(index.attempt { try $0.row(row.key) } != nil, comment)
                let isRefreshed = index.attempt {
                    try $0.refresh(
                        row.key, digest: row.digest, validators: Validators(etag: "\"new\""),
                        freshness: DiskFixture.freshness)
                }
                #expect(isRefreshed != nil, comment)
            }
            let uses = rows.map { AccessTimes.Use(key: $0.key, moment: 5) }
            #expect(index.attempt { try $0.note(uses[...], now: 1_700_000_000) } != nil, comment)
            #expect(index.attempt { try $0.leastRecentlyUsed(limit: 2) } != nil, comment)
            for byte in UInt8.min...UInt8.max {
                #expect(index.attempt { try $0.keys(beginningWith: byte) } != nil, comment)
            }
            #expect(index.attempt { try $0.lastUse() } != nil, comment)
            #expect(index.attempt { try $0.delete(rows[0].key) } != nil, comment)
            #expect(index.attempt { try $0.retire(rows[1].key, unless: rows[0].digest) } != nil, comment)
            let totals = index.attempt { try $0.recount() }
            let isCounted = totals.map { $0.count >= 0 && $0.bytes >= 0 } ?? false
            #expect(isCounted, comment)
        }
        index.close()
    }

    @Test(
        "damaged keys of any type are deleted before the least recently used rows are found",
        arguments: ["CAST(X'410042' AS TEXT)", "CAST(X'FFFE41' AS TEXT)", "'abc'", "NULL", "1", "0.5", "X''"])
    func damagedKeys(key: String) throws {
        try FileManager.default.createDirectory(
            atPath: self.fixture.originals, withIntermediateDirectories: true)
        let index = try RebuildableIndex(
            path: self.fixture.index, logger: self.fixture.log.logger(), secondsSince1970: { 1_700_000_000 })
        let last = try self.row(9)
        for row in try (0..<2).map({ try self.row($0) }) + [last] { _ = index.attempt { try $0.put(row) } }
        _ = index.attempt { index in
            try index.database.write { db in
                // A copy has no constraints.
                try db.execute(
                    sql: """
                        CREATE TABLE copy AS SELECT * FROM original;
                        DROP TABLE original;
                        ALTER TABLE copy RENAME TO original;
                        UPDATE original SET key = \(key) WHERE lastUsed < 9
                        """)
            }
        }
        #expect(index.attempt { try $0.leastRecentlyUsed(limit: 1) } == [last])
        index.close()
    }

    @Test func aDamagedRowIsMadeAgainFromItsFileAndTheOthersStay() async throws {
        try await self.fixture.withStore { store in
            for key in ["heat", "ronin"] {
                try await store.put(self.picture, as: key)
                _ = try await store.get(key)
            }
        }
        let index = try DatabaseQueue(path: self.fixture.index)
        try await index.write { db in
            try db.execute(sql: "UPDATE original SET validatedAt = validatedAt - 50")
            try db.execute(sql: "UPDATE original SET digest = X'00' WHERE id = 'mine:heat'")
        }
        try index.close()
        try await self.fixture.withStore { store in
            for key in ["heat", "ronin"] {
                let read = try await store.get(key)
                #expect(try read?.array == self.picture)
            }
            try await store.sweep()
            #expect(store.counters.count == 2)
            let ronin = try await store.get("ronin")
            #expect(ronin?.freshness.validatedAt == DiskFixture.freshness.validatedAt - 50)
            let heat = try await store.get("heat")
            #expect(heat?.freshness == DiskFixture.freshness)
            let warnings = self.fixture.log.warnings()
            #expect(warnings.filter { $0.hasPrefix("Damaged records") }.count == 1)
            #expect(!warnings.contains { $0.contains("is rebuilt from the files") })
        }
    }

    @Test(arguments: ["count = -9223372036854775808", "bytes = 9223372036854775807", "bytes = -1"])
    func damagedTotalsAreCountedAgain(change: String) async throws {
        try await self.fixture.withStore { store in _ = try await store.put(self.picture) }
        let index = try DatabaseQueue(path: self.fixture.index)
        try await index.write { db in try db.execute(sql: "UPDATE total SET \(change)") }
        try index.close()
        try await self.fixture.withStore { store in
            #expect(store.counters.count == 1)
            try await store.put(self.picture, as: "ronin")
            #expect(store.counters.count == 2)
            #expect(!self.fixture.log.warnings().contains { $0.contains("is rebuilt from the files") })
        }
    }
}

import DatabaseTesting
import FoundationEssentials
import GRDB
import MovieDomain
import PosterTesting
import RebuildableDatabase
import Testing

@testable import UpstreamClient

@Suite(.timeLimit(.hang))
struct DamagedResponseStoreTests {
    private let now = Instant(secondsSince1970: 10_000)
    private let day = CalendarDate(dayNumber: 20_000)
    private let keys = ["0", "1", "2"]

    private func response(_ byte: UInt8) -> StoredResponse {
        StoredResponse(
            status: 200, etag: "\"\(byte)\"", storedAt: self.now, freshUntil: Instant(secondsSince1970: 20_000),
            body: [byte])
    }

    private func store() async throws -> ResponseStore {
        var limits = ResponseStore.Limits()
        limits.bytes = 3000
        let store = try ResponseStore(limits: limits, logger: LogRecorder().logger())
        for source in [MovieSource.tmdb, .kobis] {
            for key in self.keys { try await store.store(self.response(1), of: source, for: key) }
            _ = try await store.charge(on: self.day, of: source)
        }
        return store
    }

    @Test func anyDamagedCellCostsItsRowAtMost() async throws {
        var store = try await self.store()
        for seed in 0..<CellMutator.count {
            if seed % 10 == 9 { store = try await self.store() }
            let mutation = try await store.database.perform { writer in
                try await writer.writeWithoutTransaction { db in
                    var mutator = CellMutator(seed: seed)
                    return try mutator.mutate(db)
                }
            }
            for source in [MovieSource.tmdb, .kobis] {
                for key in self.keys {
                    let found = try await store.response(of: source, for: key, at: self.now)
                    #expect(found.map { [200, 404].contains($0.status) } ?? true, "\(mutation)")
                    try await store.refresh(
                        of: source, for: key, storedAt: self.now, freshUntil: self.now.adding(.seconds(5)))
                }
                #expect(try await store.requestCount(on: self.day, of: source) <= 1_000_000_000, "\(mutation)")
                #expect(try await store.charge(on: self.day, of: source) <= 1_000_000_001, "\(mutation)")
                try await store.refund(on: self.day, of: source)
            }
            try await store.store(self.response(7), of: .tmdb, for: "new")
            #expect(try await store.response(of: .tmdb, for: "new", at: self.now)?.body == [7], "\(mutation)")
            try await store.remove(of: .tmdb, for: "new")
            try await store.remove(of: .kobis, before: Instant(secondsSince1970: 5))
        }
    }

    @Test func rowsThatAreValidOutliveTheStrictTables() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/answers.sqlite"
        let old = try DatabaseQueue(path: path)
        try await old.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE answer (source TEXT NOT NULL, key TEXT NOT NULL, status INTEGER NOT NULL, etag TEXT,
                        keptAt INTEGER NOT NULL, freshUntil INTEGER NOT NULL, usedAt INTEGER NOT NULL,
                        byteCount INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (source, key));
                    CREATE INDEX answerUse ON answer (usedAt, byteCount);
                    CREATE INDEX answerAge ON answer (source, keptAt);
                    CREATE TABLE spent (source TEXT PRIMARY KEY NOT NULL, day INTEGER NOT NULL,
                        requests INTEGER NOT NULL);
                    INSERT INTO answer VALUES ('tmdb', 'a', 200, NULL, 9000, 20000, 9000, 201, X'07'),
                        ('tmdb', 'b', 'x', NULL, 9000, 20000, 9000, 201, X'07'),
                        ('tmdb', 'c', 200, X'00', 9000, 20000, 1e300, 201, X'07'),
                        ('tmdb', 'd', 200, NULL, 9000, 20000, 9000, 201, 'text');
                    INSERT INTO spent VALUES ('tmdb', 20000, 12), ('kobis', 20000, 'many');
                    PRAGMA user_version = 1;
                    """)
        }
        try old.close()
        let store = try ResponseStore(path: path)
        #expect(try await store.response(of: .tmdb, for: "a", at: self.now)?.body == [7])
        for key in ["b", "c", "d"] {
            #expect(try await store.response(of: .tmdb, for: key, at: self.now) == nil)
        }
        #expect(try await store.requestCount(on: self.day, of: .tmdb) == 12)
        #expect(try await store.requestCount(on: self.day, of: .kobis) == 0)
        #expect(store.database.rebuildCount == 0)
        try store.close()
    }

    @Test(arguments: [
        "status = 500", "keptAt = 9223372036854775807", "usedAt = 9223372036854775807", "usedAt = -9223372036854775808",
        "freshUntil = 9223372036854775807", "keptAt = -9223372036854775808",
    ])
    func extremeNumbersAreNoTraps(change: String) async throws {
        let store = try await self.store()
        try await store.database.perform { writer in
            try await writer.write { db in try db.execute(sql: "UPDATE answer SET \(change) WHERE key = '0'") }
        }
        let found = try await store.response(of: .tmdb, for: "0", at: self.now)
        let isDropped = ["status = 500", "keptAt = 9223372036854775807"].contains(change)
        #expect((found == nil) == isDropped)
        #expect(store.damage.count == (isDropped ? 1 : 0))
        #expect(try await store.response(of: .tmdb, for: "1", at: self.now)?.body == [1])
    }
}

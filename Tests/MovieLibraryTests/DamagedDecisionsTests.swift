import DatabaseTesting
import FoundationEssentials
import GRDB
import MovieDomain
import PosterTesting
import Testing

@testable import MovieLibrary

@Suite(.timeLimit(.hang))
struct DamagedDecisionsTests {
    private let now = Instant(secondsSince1970: 1000)
    private let later = Instant(secondsSince1970: 2000)
    private let decision = PosterDecision(
        poster: nil, source: nil, candidates: [], failures: [.busy(.kmdb, retryAfterSeconds: 3)],
        decidedAt: Instant(secondsSince1970: 5))

    private func ids() throws -> [MovieID] { try (1...3).map { try #require(MovieID("kobis:\($0)")) } }

    @Test func noDamagedCellMakesARequestFail() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/posters.sqlite"
        let decisions = SQLitePosterDecisions(path: path, logger: LogRecorder().logger())
        let other = try DatabaseQueue(path: path)
        for seed in 0..<CellMutator.count {
            for id in try self.ids() { try await decisions.keep(self.decision, for: id, until: self.later) }
            let mutation = try await other.writeWithoutTransaction { db in
                var mutator = CellMutator(seed: seed)
                return try mutator.mutate(db)
            }
            for id in try self.ids() {
                let found = try await decisions.decision(for: id, at: self.now)
                #expect(found == nil || found == self.decision, "\(mutation)")
            }
            try await decisions.forget(self.ids()[0])
        }
        try other.close()
        decisions.close()
    }

    @Test func validDecisionsOutliveTheStrictTable() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/posters.sqlite"
        let old = try DatabaseQueue(path: path)
        let bytes = try JSONEncoder().encode(PosterDecisionRecord(self.decision))
        try await old.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE posterDecision (film TEXT NOT NULL UNIQUE ON CONFLICT REPLACE, decision BLOB NOT NULL,
                        expiresAt INTEGER NOT NULL);
                    PRAGMA user_version = 2;
                    """)
            for (film, expiresAt) in [("kobis:1", "2000"), ("kobis:2", "never")] {
                try db.execute(
                    sql: "INSERT INTO posterDecision VALUES (?, ?, ?)", arguments: [film, bytes, expiresAt])
            }
        }
        try old.close()
        let decisions = SQLitePosterDecisions(path: path, logger: LogRecorder().logger())
        let ids = try self.ids()
        #expect(try await decisions.decision(for: ids[0], at: self.now) == self.decision)
        #expect(try await decisions.decision(for: ids[1], at: self.now) == nil)
        decisions.close()
    }
}

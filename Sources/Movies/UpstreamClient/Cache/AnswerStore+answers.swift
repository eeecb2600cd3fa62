import FoundationEssentials
import GRDB
public import MovieDomain
import Synchronization

extension AnswerStore {
    /// How old a note of an answer's last use may get before it is written again: reading is not writing.
    private static let useGrain: Int64 = 3600
    /// What an answer takes beside its body and its key, about.
    private static let rowBytes = 200

    /// What is kept under a key; nil when nothing is.
    ///
    /// - Throws: `DatabaseError`; `CancellationError`.
    public func answer(of source: MovieSource, for key: String, at now: Instant) async throws -> KeptAnswer? {
        try await self.attempt { database in
            let found = try await database.read { db -> (answer: KeptAnswer, usedAt: Int64)? in
                try Row.fetchOne(
                    db, sql: "SELECT * FROM answer WHERE source = ? AND key = ?", arguments: [source.rawValue, key]
                ).map { (KeptAnswer($0), $0["usedAt"]) }
            }
            guard let found else { return nil }
            if found.usedAt + Self.useGrain <= now.secondsSince1970 {
                try await database.write { db in
                    try db.execute(
                        sql: "UPDATE answer SET usedAt = ? WHERE source = ? AND key = ?",
                        arguments: [now.secondsSince1970, source.rawValue, key])
                }
            }
            return found.answer
        }
    }

    /// Keeps an answer instead of what was there; one that is too large is not kept, and nothing else is then.
    ///
    /// - Throws: `DatabaseError`; `CancellationError`.
    public func keep(_ answer: KeptAnswer, of source: MovieSource, for key: String) async throws {
        guard answer.body.count <= self.limits.answerBytes else {
            return try await self.remove(of: source, for: key)
        }
        let byteCount = answer.body.count + key.utf8.count + Self.rowBytes
        let isSumDue = self.addedBytes.withLock { added in
            added += byteCount
            guard added >= self.limits.bytes / 16 else { return false }
            added = 0
            return true
        }
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(
                    sql: "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        source.rawValue, key, answer.status, answer.etag, answer.keptAt.secondsSince1970,
                        answer.freshUntil.secondsSince1970, answer.keptAt.secondsSince1970, byteCount,
                        Data(answer.body),
                    ])
                if isSumDue { try Self.makeRoom(db, bytes: self.limits.bytes) }
            }
        }
    }

    /// Notes that an answer was confirmed.
    ///
    /// - Throws: `DatabaseError`; `CancellationError`.
    public func renew(
        of source: MovieSource, for key: String, keptAt: Instant, freshUntil: Instant
    ) async throws {
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(
                    sql: "UPDATE answer SET keptAt = ?, freshUntil = ?, usedAt = ? WHERE source = ? AND key = ?",
                    arguments: [
                        keptAt.secondsSince1970, freshUntil.secondsSince1970, keptAt.secondsSince1970,
                        source.rawValue, key,
                    ])
            }
        }
    }

    /// Of no effect when there is none.
    ///
    /// - Throws: `DatabaseError`; `CancellationError`.
    public func remove(of source: MovieSource, for key: String) async throws {
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(
                    sql: "DELETE FROM answer WHERE source = ? AND key = ?", arguments: [source.rawValue, key])
            }
        }
    }

    /// Removes what was told, and not confirmed, before a moment.
    ///
    /// - Throws: `DatabaseError`; `CancellationError`.
    public func remove(of source: MovieSource, before moment: Instant) async throws {
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(
                    sql: "DELETE FROM answer WHERE source = ? AND keptAt < ?",
                    arguments: [source.rawValue, moment.secondsSince1970])
            }
        }
    }

    /// Counts a request of a day.
    ///
    /// - Returns: How many there have been on it, with this one.
    /// - Throws: `DatabaseError`; `CancellationError`.
    public func spend(on day: CalendarDate, of source: MovieSource) async throws -> Int {
        try await self.attempt { database in
            try await database.write { db in
                let spent = try Int.fetchOne(
                    db, sql: "SELECT requests FROM spent WHERE source = ? AND day = ?",
                    arguments: [source.rawValue, day.dayNumber])
                let count = (spent ?? 0) + 1
                try db.execute(
                    sql: "INSERT OR REPLACE INTO spent VALUES (?, ?, ?)",
                    arguments: [source.rawValue, day.dayNumber, count])
                return count
            }
        }
    }

    /// Counts a request of a day no more.
    ///
    /// - Throws: `DatabaseError`; `CancellationError`.
    public func giveBack(on day: CalendarDate, of source: MovieSource) async throws {
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(
                    sql: "UPDATE spent SET requests = requests - 1 WHERE source = ? AND day = ? AND requests > 0",
                    arguments: [source.rawValue, day.dayNumber])
            }
        }
    }

    /// Removes what was used longest ago, if there is no room for what may come until the next time.
    private static func makeRoom(_ db: Database, bytes: Int) throws {
        let sum = try Int.fetchOne(db, sql: "SELECT SUM(byteCount) FROM answer") ?? 0
        guard sum > bytes - bytes / 16 else { return }
        try db.execute(
            sql: """
                DELETE FROM answer WHERE rowid IN (
                    SELECT rowid FROM (
                        SELECT rowid, SUM(byteCount) OVER (ORDER BY usedAt, rowid) - byteCount AS before FROM answer
                    ) WHERE before < ?
                )
                """, arguments: [sum - bytes * 7 / 8])
    }
}

extension KeptAnswer {
    fileprivate init(_ row: Row) {
        self.init(
            status: row["status"], etag: row["etag"],
            keptAt: Instant(secondsSince1970: row["keptAt"]), freshUntil: Instant(secondsSince1970: row["freshUntil"]),
            body: Array(row["body"] as Data))
    }
}

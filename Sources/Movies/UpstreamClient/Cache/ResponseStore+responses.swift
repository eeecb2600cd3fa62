import FoundationEssentials
import GRDB
package import MovieDomain
import RebuildableDatabase
import Synchronization

extension ResponseStore {
    /// How old the recorded last use of a response may get before a read updates it, in seconds: reads do not write.
    private static let useGranularity: Int64 = 3600
    /// What a row takes beside its body and its key, in bytes, estimated.
    private static let rowBytes = 200

    /// The response under a key; nil when there is none.
    package func response(of source: MovieSource, for key: String, at now: Instant) async throws -> StoredResponse? {
        try await self.database.perform { database in
            let found = try await database.read { db -> (response: StoredResponse, usedAt: Int64)? in
                try Row.fetchOne(
                    db, sql: "SELECT * FROM answer WHERE source = ? AND key = ?", arguments: [source.rawValue, key]
                ).map { (StoredResponse($0), $0["usedAt"]) }
            }
            guard let found else { return nil }
            if found.usedAt + Self.useGranularity <= now.secondsSince1970 {
                try await database.write { db in
                    try db.execute(
                        sql: "UPDATE answer SET usedAt = ? WHERE source = ? AND key = ?",
                        arguments: [now.secondsSince1970, source.rawValue, key])
                }
            }
            return found.response
        }
    }

    /// Stores a response instead of the one under its key; one that is too large only removes that.
    package func store(_ response: StoredResponse, of source: MovieSource, for key: String) async throws {
        guard response.body.count <= self.limits.responseBytes else {
            return try await self.remove(of: source, for: key)
        }
        let byteCount = response.body.count + key.utf8.count + Self.rowBytes
        let isSumDue = self.addedBytes.withLock { added in
            added += byteCount
            guard added >= self.limits.bytes / 16 else { return false }
            added = 0
            return true
        }
        try await self.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    source.rawValue, key, response.status, response.etag, response.storedAt.secondsSince1970,
                    response.freshUntil.secondsSince1970, response.storedAt.secondsSince1970, byteCount,
                    Data(response.body),
                ])
            if isSumDue { try Self.evict(db, bytes: self.limits.bytes) }
        }
    }

    /// Records that a response was revalidated.
    package func refresh(
        of source: MovieSource, for key: String, storedAt: Instant, freshUntil: Instant
    ) async throws {
        try await self.write { db in
            try db.execute(
                sql: "UPDATE answer SET keptAt = ?, freshUntil = ?, usedAt = ? WHERE source = ? AND key = ?",
                arguments: [
                    storedAt.secondsSince1970, freshUntil.secondsSince1970, storedAt.secondsSince1970,
                    source.rawValue, key,
                ])
        }
    }

    /// Does nothing when there is none.
    package func remove(of source: MovieSource, for key: String) async throws {
        try await self.write { db in
            try db.execute(
                sql: "DELETE FROM answer WHERE source = ? AND key = ?", arguments: [source.rawValue, key])
        }
    }

    /// Removes the responses that were received, and not revalidated since, before a moment.
    package func remove(of source: MovieSource, before moment: Instant) async throws {
        try await self.write { db in
            try db.execute(
                sql: "DELETE FROM answer WHERE source = ? AND keptAt < ?",
                arguments: [source.rawValue, moment.secondsSince1970])
        }
    }

    /// How many requests were counted on a day.
    package func requestCount(on day: CalendarDate, of source: MovieSource) async throws -> Int {
        try await self.database.perform { database in
            try await database.read { db in
                try Int.fetchOne(
                    db, sql: "SELECT requests FROM spent WHERE source = ? AND day = ?",
                    arguments: [source.rawValue, day.dayNumber])
            } ?? 0
        }
    }

    /// Counts a request of a day.
    /// - Returns: How many there have been on it, including this one.
    package func charge(on day: CalendarDate, of source: MovieSource) async throws -> Int {
        try await self.write { db in
            let charged = try Int.fetchOne(
                db, sql: "SELECT requests FROM spent WHERE source = ? AND day = ?",
                arguments: [source.rawValue, day.dayNumber])
            let count = (charged ?? 0) + 1
            try db.execute(
                sql: "INSERT OR REPLACE INTO spent VALUES (?, ?, ?)",
                arguments: [source.rawValue, day.dayNumber, count])
            return count
        }
    }

    /// Takes the count of a request back.
    package func refund(on day: CalendarDate, of source: MovieSource) async throws {
        try await self.write { db in
            try db.execute(
                sql: "UPDATE spent SET requests = requests - 1 WHERE source = ? AND day = ? AND requests > 0",
                arguments: [source.rawValue, day.dayNumber])
        }
    }

    private func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await self.database.perform { try await $0.write(body) }
    }

    /// Evicts the least recently used responses down to 7/8 of the limit, once more than 15/16 of it is used.
    private static func evict(_ db: Database, bytes: Int) throws {
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

extension StoredResponse {
    fileprivate init(_ row: Row) {
        self.init(
            status: row["status"], etag: row["etag"],
            storedAt: Instant(secondsSince1970: row["keptAt"]),
            freshUntil: Instant(secondsSince1970: row["freshUntil"]),
            body: Array(row["body"] as Data))
    }
}

import FoundationEssentials
import GRDB
package import MovieDomain
import RebuildableDatabase
import Synchronization

extension ResponseStore {
    /// The interval in seconds at which reads update the last use, so that most reads do not write.
    private static let useGranularity: Int64 = 3600
    /// The estimated size of a row besides its body and key, in bytes.
    private static let rowBytes = 200
    /// The valid request counts of a day; others are damage, and count as 0.
    private static let requestRange = 0...1_000_000_000

    /// A row of the table `answer`, or its damage.
    private typealias Found = Result<(response: StoredResponse, usedAt: Int64), DamagedRow>

    /// The response of a key; `nil` if there is none. A damaged one is deleted.
    package func response(of source: MovieSource, for key: String, at now: Instant) async throws -> StoredResponse? {
        try await self.database.perform { database in
            let row = try await database.read { db -> Found? in
                try Row.fetchOne(
                    db, sql: "SELECT * FROM answer WHERE source = ? AND key = ?", arguments: [source.rawValue, key]
                ).map { row in
                    Found { () throws(DamagedRow) in (try StoredResponse(row, at: now), try row.checked("usedAt")) }
                }
            }
            switch row {
            case nil: return nil
            case .success(let found):
                if found.usedAt <= now.secondsSince1970 - Self.useGranularity {
                    try await database.write { db in
                        try db.execute(
                            sql: "UPDATE answer SET usedAt = ? WHERE source = ? AND key = ?",
                            arguments: [now.secondsSince1970, source.rawValue, key])
                    }
                }
                return found.response
            case .failure(let damage):
                self.damage.record("answer", because: damage.description)
                try await database.write { db in try Self.remove(of: source, for: key, db) }
                return nil
            }
        }
    }

    /// Stores a response; replaces the one of the same key. One that is too large is not stored and only removes the
    /// old one.
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
            if isSumDue { try self.evict(db) }
        }
    }

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

    /// Removes a response. Idempotent.
    package func remove(of source: MovieSource, for key: String) async throws {
        try await self.write { db in try Self.remove(of: source, for: key, db) }
    }

    private static func remove(of source: MovieSource, for key: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM answer WHERE source = ? AND key = ?", arguments: [source.rawValue, key])
    }

    /// Removes the responses that were last received or revalidated before a time.
    package func remove(of source: MovieSource, before moment: Instant) async throws {
        try await self.write { db in
            try db.execute(
                sql: "DELETE FROM answer WHERE source = ? AND keptAt < ?",
                arguments: [source.rawValue, moment.secondsSince1970])
        }
    }

    package func requestCount(on day: CalendarDate, of source: MovieSource) async throws -> Int {
        try await self.database.perform { database in
            try await database.read { db in try self.requestCount(on: day, of: source, db) }
        }
    }

    /// Counts a request of a day.
    /// - Returns: The day's count, including this request.
    package func charge(on day: CalendarDate, of source: MovieSource) async throws -> Int {
        try await self.write { db in
            let count = try self.requestCount(on: day, of: source, db) + 1
            try db.execute(
                sql: "INSERT OR REPLACE INTO spent VALUES (?, ?, ?)",
                arguments: [source.rawValue, day.dayNumber, count])
            return count
        }
    }

    private func requestCount(on day: CalendarDate, of source: MovieSource, _ db: Database) throws -> Int {
        let statement = try db.cachedStatement(sql: "SELECT requests FROM spent WHERE source = ? AND day = ?")
        return try self.damage.firstRow(statement, [source.rawValue, day.dayNumber], of: "spent") { row in
            try row.checked("requests", in: Self.requestRange)
        } ?? 0
    }

    /// Refunds a request of a day.
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

    /// Evicts the least recently used responses down to 7/8 of the limit once they exceed 15/16 of it. First removes
    /// rows with an impossible size, which would invalidate the sum.
    private func evict(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM answer WHERE byteCount NOT BETWEEN 0 AND ?", arguments: [Int64(1) << 32])
        self.damage.record("answer", count: db.changesCount, because: "byteCount is out of range")
        let bytes = self.limits.bytes
        let sum = try Int.fetchOne(db, sql: "SELECT SUM(byteCount) FROM answer") ?? 0
        guard sum > bytes - bytes / 16 else { return }
        try db.execute(
            sql: """
                DELETE FROM answer WHERE rowid IN (
                    SELECT rowid FROM (
                        SELECT rowid, SUM(byteCount) OVER (ORDER BY usedAt, rowid) - byteCount AS before FROM answer
                    ) WHERE before < ?
                )
                """, arguments: [sum - (bytes - bytes / 8)])
    }
}

extension StoredResponse {
    /// The tolerated clock error of a written row in seconds: a row from the future would never expire.
    private static let clockTolerance: Int64 = 86_400

    fileprivate init(_ row: Row, at now: Instant) throws(DamagedRow) {
        self.init(
            status: try row.checked("status"), etag: try row.checked("etag"),
            storedAt: Instant(secondsSince1970: try row.checked("keptAt")),
            freshUntil: Instant(secondsSince1970: try row.checked("freshUntil")),
            body: Array(try row.checked("body", as: Data.self)))
        guard self.status == 200 || self.status == 404 else { throw DamagedRow("status is neither 200 nor 404") }
        guard self.storedAt.secondsSince1970 <= now.secondsSince1970 + Self.clockTolerance else {
            throw DamagedRow("keptAt is in the future")
        }
    }
}

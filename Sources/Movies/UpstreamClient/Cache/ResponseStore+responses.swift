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
    /// Requests of a day; a number outside is damage, and counts as 0.
    private static let requestRange = 0...1_000_000_000

    /// A row of `answer`, or its damage.
    private typealias Found = Result<(response: StoredResponse, usedAt: Int64), DamagedRow>

    /// The response under a key; nil when there is none. A damaged one is deleted.
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
            if isSumDue { try self.evict(db) }
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
        try await self.write { db in try Self.remove(of: source, for: key, db) }
    }

    private static func remove(of source: MovieSource, for key: String, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM answer WHERE source = ? AND key = ?", arguments: [source.rawValue, key])
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
            try await database.read { db in try self.requestCount(on: day, of: source, db) }
        }
    }

    /// Counts a request of a day.
    /// - Returns: How many there have been on it, including this one.
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

    /// Evicts the least recently used responses down to 7/8 of the limit, once more than 15/16 of it is used; and rows with an
    /// impossible size, with which there is no sum.
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
    /// The most that a clock may have been ahead when a row was written, in seconds: a later row would never be old enough.
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

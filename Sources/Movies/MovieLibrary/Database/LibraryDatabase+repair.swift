import GRDB
import RebuildableDatabase

/// Repairs of damaged numbers that would prevent any insertion.
extension LibraryDatabase {
    /// The largest accepted sequence; SQLite assigns none after the largest integer.
    private static let lastSequence = Int64(1) << 53

    /// Deletes rows with an impossible sequence.
    func repairSequences() throws {
        for table in LibraryTable.all.map(\.sqlite) {
            let last = try self.writer.read { try Int64.fetchOne($0, sql: "SELECT max(sequence) FROM \(table)") } ?? 0
            let numbered = try self.writer.read { db in
                try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table])
            }
            guard last > Self.lastSequence || numbered ?? 0 > Self.lastSequence else { continue }
            try self.writer.write { db in
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE sequence > ?", arguments: [Self.lastSequence])
                self.damage.record(table, count: db.changesCount, because: "sequence is out of range")
                try db.execute(
                    sql: """
                        UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(sequence), 0) FROM \(table)) WHERE name = ?
                        """, arguments: [table])
            }
        }
    }

    /// Row counts that are accepted without counting.
    private static let plausibleCounts = 0...1_000_000_000

    /// Counts the films of a list again if the stored number is damaged: triggers fail with an extreme number.
    func repairCounts() throws {
        for list in StoredList.allCases {
            let sql = "SELECT total FROM \(list.countTable)"
            let totals = try self.writer.read { db in
                try self.damage.rows(db.makeStatement(sql: sql), of: list.countTable) { row in
                    try row.checked("total", in: Self.plausibleCounts)
                }
            }
            guard totals.count != 1 else { continue }
            try self.writer.write { db in
                try db.execute(
                    sql: """
                        DELETE FROM \(list.countTable);
                        INSERT INTO \(list.countTable) SELECT count(*) FROM \(list.rawValue);
                        """)
            }
        }
    }
}

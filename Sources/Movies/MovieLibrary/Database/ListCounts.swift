import GRDB
import RebuildableDatabase

extension LibraryDatabase {
    /// The numbers of rows that are believed without counting.
    private static let plausibleCounts = 0...1_000_000_000

    /// Counts the films of lists again whose stored number is damaged: with an extreme one, triggers fail, and so does
    /// every insertion.
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

import FoundationEssentials
import GRDB
import PosterTesting
import RebuildableDatabase
import Testing

struct DamagedRecordsTests {
    private let log = LogRecorder()

    @Test func aRowWithAWrongTypeIsLeftOutAndLoggedOnce() throws {
        let damage = DamagedRecords(of: "notes", logger: self.log.logger())
        let numbers = try DatabaseQueue().write { db in
            try damage.rows(
                db.makeStatement(
                    sql: "SELECT column1 AS number FROM (VALUES (1), ('2'), (3.0), (NULL), (X'34'), (5), (60))"),
                of: "note"
            ) { row in try row.checked("number", in: 1...50) }
        }
        #expect(numbers == [1, 5])
        #expect(damage.count == 5)
        #expect(self.log.warnings().count == 1)
    }

    @Test func storageClassesAreNotConverted() throws {
        let sql = "SELECT 1 AS integer, 0.5 AS real, 'a' AS text, X'61' AS blob, NULL AS absent"
        try DatabaseQueue().read { db in
            let row = try #require(try Row.fetchOne(db, sql: sql))
            #expect(try row.checked("integer", as: Int.self) == 1)
            #expect(try row.checked("integer", as: Bool.self))
            #expect(try row.checked("real", as: Double.self) == 0.5)
            #expect(try row.checked("text", as: String?.self) == "a")
            #expect(try row.checked("blob", as: Data.self) == Data("a".utf8))
            #expect(try row.checked("absent", as: Data?.self) == nil)
            #expect(throws: DamagedRow.self) { try row.checked("blob", as: String.self) }
            #expect(throws: DamagedRow.self) { try row.checked("text", as: Data.self) }
            #expect(throws: DamagedRow.self) { try row.checked("real", as: Int.self) }
            #expect(throws: DamagedRow.self) { try row.checked("integer", as: Double.self) }
            #expect(throws: DamagedRow.self) { try row.checked("absent", as: Int.self) }
            #expect(throws: DamagedRow.self) { try row.checked("missing", as: Int.self) }
        }
    }
}

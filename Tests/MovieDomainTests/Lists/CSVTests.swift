import Testing

@testable import MovieDomain

struct CSVTests {
    @Test func cellsAreQuotedWhereTheyMustBe() {
        #expect(CSV.line(["a", "b c", ""]) == "a,b c,\r\n")
        #expect(
            CSV.line(["a,b", "say \"x\"", "two\nlines", "\r"]) == "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\"\r\"\r\n")
    }

    @Test func writtenRowsAreReadBack() {
        let rows = [["id", "title"], ["1", "a,b;\t\"c\"\r\nd"], ["\"\u{301}", ",\u{301}\"\u{301}ㄱ 乱 🎬"]]
        #expect(CSV.rows(rows.map(CSV.line).joined(), separator: 0x2C, limit: 10).rows == rows)
    }

    @Test(arguments: [
        ("a,b\n1,2", [["a", "b"], ["1", "2"]]), ("a,b\r1,2\r", [["a", "b"], ["1", "2"]]),
        ("\u{FEFF}a,\r\n\r\n , \r\nb", [["a", ""], ["b"]]), ("a;b\n1,5;2", [["a", "b"], ["1,5", "2"]]),
        ("a\tb\n1\t2", [["a", "b"], ["1", "2"]]), ("\"a\"\"b\",c\"d", [["a\"b", "c\"d"]]),
        ("a,\"b\nc", [["a", "b\nc"]]), ("a,", [["a", ""]]), ("", []), ("\n\n", []),
    ])
    func filesOfOtherProgramsAreRead(text: String, rows: [[String]]) {
        #expect(CSV.rows(text, separator: CSV.separator(in: text), limit: 10).rows == rows)
    }

    @Test func rowsWithoutASeparatorHaveOneCell() {
        #expect(CSV.rows("a,b\n\"c;\"\td", separator: nil, limit: 10).rows == [["a,b"], ["c;\td"]])
    }

    @Test(
        arguments: [("a", nil), ("\"a,b\";c,d", 0x3B), ("a\tb;c", 0x09), ("\"a,b", nil)] as [(String, UInt8?)])
    func theSeparatorIsOutsideQuotationMarks(row: String, separator: UInt8?) {
        #expect(CSV.separator(in: row) == separator)
    }

    @Test func rowsBeyondTheLimitAreCounted() {
        let (rows, omittedCount) = CSV.rows("a\nb\n\nc\nd", separator: nil, limit: 2)
        #expect(rows == [["a"], ["b"]] && omittedCount == 2)
    }

    @Test(arguments: ["=1+1", "+1", "-30-", "@Suicide Room", "\tx", "\r\nx"])
    func cellsThatBeginLikeFormulasAreGuarded(cell: String) {
        #expect(CSV.guarded(cell) == "'" + cell && CSV.unguarded(CSV.guarded(cell)) == cell)
    }

    @Test(arguments: ["", "Heat", "'Round Midnight", "1-2", "'"])
    func otherCellsStay(cell: String) {
        #expect(CSV.guarded(cell) == cell && CSV.unguarded(cell) == cell)
    }
}

import Testing

@testable import onesheet

struct TerminalTableTests {
    private func table() -> TerminalTable {
        var table = TerminalTable([("#", .right), ("Title", .left), ("Year", .right)])
        table.add(["1", "하녀", "1960"])
        table.add(["10", "The Housemaid", "2010"])
        return table
    }

    @Test func columnsLineUpWhereCharactersAreWide() {
        #expect(
            self.table().lines(limit: nil) == [
                " #  Title          Year",
                " 1  하녀           1960",
                "10  The Housemaid  2010",
            ])
    }

    @Test func theWidestColumnIsCutForATerminal() {
        #expect(self.table().lines(limit: 18).last == "10  The Hou…  2010")
        #expect(CellWidth.cut("달세계 여행", to: 6) == "달세…")
    }

    @Test func whatATerminalWouldActUponIsShown() {
        var table = TerminalTable([("Title", .left)])
        table.add(["\u{1B}[2J\u{202E}x"])
        #expect(table.lines(limit: nil).last == "\\u{1b}[2J\\u{202e}x")
    }
}

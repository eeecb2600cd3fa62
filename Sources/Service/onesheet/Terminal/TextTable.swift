import OneSheetConfiguration

/// Rows in columns, for people.
struct TextTable {
    /// How a column is set.
    enum Alignment {
        case left
        case right
    }

    /// The narrowest that a column is cut to, in cells.
    private static let narrowest = 8
    private static let gap = 2

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// - Parameter columns: Their titles, and how they are set.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        self.alignments = columns.map(\.alignment)
        self.rows = [columns.map(\.title)]
    }

    /// Adds a row; what a terminal would act upon is shown instead.
    mutating func add(_ cells: [String]) {
        self.rows.append(cells.prefix(self.alignments.count).map(TerminalText.escaped))
    }

    /// Whether there are rows beside the titles.
    var isEmpty: Bool { self.rows.count == 1 }

    /// The lines, without spaces at their ends.
    ///
    /// - Parameter limit: Cells of a line; the widest columns are cut for it. nil for any number.
    func lines(limit: Int?) -> [String] {
        var widths = self.alignments.indices.map { column in
            self.rows.map { column < $0.count ? CellWidth.of($0[column]) : 0 }.max() ?? 0
        }
        if let limit {
            let room = max(limit - Self.gap * (widths.count - 1), widths.count)
            while widths.reduce(0, +) > room, let widest = widths.max(), widest > Self.narrowest {
                widths[widths.firstIndex(of: widest)!] -= 1
            }
        }
        return self.rows.map { row in
            let cells = zip(row, zip(widths, self.alignments)).map { text, column in
                Self.set(text, width: column.0, alignment: column.1)
            }
            var line = Substring(cells.joined(separator: String(repeating: " ", count: Self.gap)))
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    private static func set(_ text: String, width: Int, alignment: Alignment) -> String {
        let text = CellWidth.cut(text, to: width)
        let space = String(repeating: " ", count: max(0, width - CellWidth.of(text)))
        return alignment == .left ? text + space : space + text
    }
}

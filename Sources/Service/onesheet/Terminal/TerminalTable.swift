import OneSheetConfiguration

/// A table of aligned columns for a terminal.
struct TerminalTable {
    enum Alignment {
        case left
        case right
    }

    /// The width to which a column may be truncated, in cells.
    private static let narrowest = 8
    private static let gap = 2

    private let alignments: [Alignment]
    private var rows: [[String]] = []

    init(_ columns: [(title: String, alignment: Alignment)]) {
        self.alignments = columns.map(\.alignment)
        self.rows = [columns.map(\.title)]
    }

    /// Adds a row; control characters are escaped.
    mutating func add(_ cells: [String]) {
        self.rows.append(cells.prefix(self.alignments.count).map(TerminalText.escaped))
    }

    /// The lines without trailing spaces.
    /// - Parameter limit: The maximum number of cells per line, for which the widest columns are truncated; `nil`
    ///   without a limit.
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

/// The width of text in terminal cells.
enum CellWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + self.of($1) } }

    /// The longest prefix that fits, with an ellipsis if text was truncated.
    static func cut(_ text: String, to width: Int) -> String {
        guard self.of(text) > width else { return text }
        var kept = ""
        var used = 1
        for character in text {
            used += self.of(character)
            if used > width { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private static func of(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return self.isWide(scalar) || character.unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
    }

    /// Wide and full-width characters of East Asian Width (UAX #11), without rare blocks.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}

enum WrappedText {
    /// Breaks text into lines at spaces, and within words that are longer than a line.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            for piece in self.pieces(word, width: max(2, width)) {
                if line.isEmpty {
                    line = piece
                } else if CellWidth.of(line) + 1 + CellWidth.of(piece) <= width {
                    line += " " + piece
                } else {
                    lines.append(line)
                    line = piece
                }
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    private static func pieces(_ word: Substring, width: Int) -> [String] {
        guard CellWidth.of(String(word)) > width else { return [String(word)] }
        var pieces = [""]
        for character in word {
            if CellWidth.of(pieces[pieces.count - 1] + String(character)) > width { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
        return pieces
    }
}

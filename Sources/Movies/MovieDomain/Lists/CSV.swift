/// Comma-separated values (RFC 4180).
package enum CSV {
    /// First characters of cells that spreadsheets evaluate as formulas.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r"]
    private static let guardMark: Unicode.Scalar = "'"
    private static let quote = UInt8(ascii: "\"")
    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    /// A row with its line end.
    package static func line(_ cells: [String]) -> String { cells.map(self.quoted).joined(separator: ",") + "\r\n" }

    /// A cell that spreadsheets show as text: one that begins like a formula gets a leading apostrophe.
    static func guarded(_ cell: String) -> String {
        cell.unicodeScalars.first.map(self.formulaStarts.contains) == true ? "\(self.guardMark)\(cell)" : cell
    }

    /// Reverts ``guarded(_:)``.
    static func unguarded(_ cell: String) -> String {
        // By scalars: a character with thousands of combining marks is slow to compare.
        let scalars = cell.unicodeScalars
        guard scalars.first == self.guardMark, let second = scalars.dropFirst().first,
            self.formulaStarts.contains(second)
        else { return cell }
        return String(scalars.dropFirst())
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.utf8.contains(where: { $0 == self.quote || $0 == 0x2C || $0 == 0x0D || $0 == 0x0A }) else {
            return cell
        }
        // By bytes: a quotation mark with a combining mark is another character.
        let doubled = cell.utf8.flatMap { $0 == self.quote ? [$0, $0] : [$0] }
        return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
    }

    /// The first comma, semicolon or tab outside quotation marks; `nil` for none.
    static func separator(in row: String) -> UInt8? {
        var isQuoted = false
        return row.utf8.first { byte in
            if byte == self.quote { isQuoted.toggle() }
            return !isQuoted && self.separators.contains(byte)
        }
    }

    /// Reads a file; rows end with CR LF, LF or CR. Blank rows are omitted, and so is a byte order mark.
    ///
    /// - Parameters:
    ///   - text: A quotation mark without an end quotes the rest.
    ///   - separator: `nil` for rows of a single cell.
    /// - Returns: The cells of the first `limit` rows, and the number of further rows.
    static func rows(_ text: String, separator: UInt8?, limit: Int) -> (rows: [[String]], omittedCount: Int) {
        let bytes = Array(text.utf8)
        var rows: [[String]] = []
        var omittedCount = 0
        var row: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        let endCell = {
            row.append(String(decoding: cell, as: UTF8.self))
            cell.removeAll(keepingCapacity: true)
        }
        let endRow = {
            endCell()
            defer { row.removeAll(keepingCapacity: true) }
            if row.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) { return }
            if rows.count < limit { rows.append(row) } else { omittedCount += 1 }
        }
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while position < bytes.count {
            let byte = bytes[position]
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            position += 1
            switch byte {
            case self.quote where isQuoted && next == self.quote:
                cell.append(byte)
                position += 1
            case self.quote where isQuoted: isQuoted = false
            case _ where isQuoted: cell.append(byte)
            case self.quote where cell.isEmpty: isQuoted = true
            case _ where byte == separator: endCell()
            case 0x0D, 0x0A:
                if byte == 0x0D, next == 0x0A { position += 1 }
                endRow()
            default: cell.append(byte)
            }
        }
        if !row.isEmpty || !cell.isEmpty { endRow() }
        return (rows, omittedCount)
    }
}

/// Text in columns: the first one left-aligned, the others right-aligned.
struct TextTable {
    let rows: [[String]]

    var text: String {
        let widths = (self.rows.first ?? []).indices.map { column in self.rows.map { $0[column].count }.max() ?? 0 }
        return self.rows.map { row in
            row.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + blanks : blanks + row[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

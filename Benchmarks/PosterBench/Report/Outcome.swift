/// What one measurement has to tell: for people, for machines, and as pictures.
struct Outcome {
    /// A table with a heading; the first row names the columns.
    struct Table {
        let title: String
        let rows: [[String]]
    }

    var tables: [Table] = []
    /// Sentences below the tables.
    var notes: [String] = []
    var figures: [Figure] = []
    var charts: [any Chart] = []

    mutating func append(_ other: Outcome) {
        self.tables += other.tables
        self.notes += other.notes
        self.figures += other.figures
        self.charts += other.charts
    }

    var text: String {
        let parts = self.tables.map { "\($0.title)\n\(TextTable(rows: $0.rows).text)" }
        return (parts + (self.notes.isEmpty ? [] : [self.notes.joined(separator: "\n")])).joined(separator: "\n\n")
    }
}

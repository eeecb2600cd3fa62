/// The results of a measurement as tables, figures and charts.
struct Outcome {
    /// A table with a title; the first row contains the column names.
    struct Table {
        let title: String
        let rows: [[String]]
    }

    var tables: [Table] = []
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

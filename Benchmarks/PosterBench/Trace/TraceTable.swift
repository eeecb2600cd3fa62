import PosterPipeline

/// The settings of one row of the table.
struct TraceRow: Hashable {
    /// The planes' share of the memory for variants and decoded planes.
    let planesPercent: Int
    let rendersAhead: Bool

    var name: String { "planes \(self.planesPercent) %, ahead \(self.rendersAhead ? "on" : "off")" }

    /// All combinations; without planes nothing is rendered ahead.
    static func all(planes: [Int], ahead: [Bool]) -> [TraceRow] {
        planes.flatMap { planes in
            ahead.filter { planes > 0 || !$0 }.map { TraceRow(planesPercent: planes, rendersAhead: $0) }
        }
    }
}

struct TraceTable {
    private(set) var rows: [(row: TraceRow, result: TraceLoad.Result)] = []

    mutating func add(_ result: TraceLoad.Result, of row: TraceRow) {
        self.rows.append((row, result))
    }

    var outcome: Outcome {
        var outcome = Outcome()
        var table = [
            [
                "", "CPU s/1000", "of the first", "hits", "renders/1000", "decodes/1000", "from planes/1000",
                "ahead/1000", "used/1000", "misses: p50 ms", "p99 ms",
                "refused", "cores used", "by others",
            ]
        ]
        let first = self.rows.first.map { Self.cpuPerThousand($0.result) } ?? 0
        for (row, result) in self.rows {
            let cpu = Self.cpuPerThousand(result)
            let thousands = Double(result.requests) / 1000
            let hits = 100 * Double(result.status.hits) / Double(result.requests)
            let (p50, p99) = (result.percentile(50) / 1e6, result.percentile(99) / 1e6)
            table.append([
                row.name, cpu.fixed(3), (cpu / first).fixed(3), "\(hits.fixed(1)) %",
                (Double(result.status.renders) / thousands).fixed(0),
                (Double(result.status.decodes) / thousands).fixed(0),
                (Double(result.status.planeHits) / thousands).fixed(0),
                (Double(result.status.ladderRendered) / thousands).fixed(0),
                (Double(result.status.ladderUsed) / thousands).fixed(0), p50.fixed(1), p99.fixed(1),
                "\(result.overloaded)", (result.cpuSeconds / result.seconds).fixed(2),
                (result.otherSeconds / result.seconds).fixed(2),
            ])
            let name = "trace \(row.name)"
            outcome.figures += [
                Figure("\(name) CPU", cpu, "s/1000"), Figure("\(name) hits", hits, "%"),
                Figure("\(name) p50", p50, "ms"), Figure("\(name) p99", p99, "ms"),
            ]
            if result.failures > 0 { outcome.notes.append("INVALID: \(row.name): \(result.failures) errors.") }
        }
        outcome.tables = [.init(title: "A day of a catalogue's visitors, after another one", rows: table)]
        if self.rows.contains(where: { $0.result.otherSeconds / $0.result.seconds > 0.1 }) {
            outcome.notes.append("NOT QUIET: other programs used the cores; times of misses are unreliable.")
        }
        return outcome
    }

    private static func cpuPerThousand(_ result: TraceLoad.Result) -> Double {
        1000 * result.cpuSeconds / Double(max(1, result.requests))
    }
}

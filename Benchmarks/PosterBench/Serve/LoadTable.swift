/// Loads of several servers at several connection counts, as table, figures and charts.
struct LoadTable {
    /// The name, such as "hit 30 KB".
    let name: String
    let title: String
    let servers: [String]
    let connections: [Int]
    var places = 0
    private var rounds: [Key: [Load]] = [:]

    private struct Key: Hashable {
        let server: String
        let connections: Int
    }

    init(name: String, title: String, servers: [String], connections: [Int], places: Int = 0) {
        (self.name, self.title, self.servers, self.connections) = (name, title, servers, connections)
        self.places = places
    }

    mutating func add(_ load: Load, server: String, connections: Int) {
        self.rounds[Key(server: server, connections: connections), default: []].append(load)
    }

    private func load(_ server: String, _ connections: Int) -> Load? {
        self.rounds[Key(server: server, connections: connections)].map(Load.init(medianOf:))
    }

    /// Requests/s relative to nginx, the median of each round's ratio: other load on the machine slows both.
    private func ratio(_ server: String, _ connections: Int) -> Double? {
        guard server != "nginx", let own = self.rounds[Key(server: server, connections: connections)],
            let other = self.rounds[Key(server: "nginx", connections: connections)], own.count == other.count
        else { return nil }
        return Median.of(zip(own, other).map { $0.requestsPerSecond / $1.requestsPerSecond })
    }

    var outcome: Outcome {
        var outcome = Outcome()
        var rows = [
            [
                "", "connections", "requests/s", "of nginx's", "p50 ms", "p99 ms", "p99.9 ms", "CPU s/1000",
                "resident MiB", "peak MiB", "errors",
            ]
        ]
        for count in self.connections {
            for server in self.servers {
                guard let load = self.load(server, count) else { continue }
                rows.append(
                    [
                        server, "\(count)", load.requestsPerSecond.fixed(self.places),
                        self.ratio(server, count)?.fixed(2) ?? "", load.p50.fixed(2), load.p99.fixed(2),
                        load.p999.fixed(2), load.cpuPerThousand.fixed(4),
                        (load.resident / 1_048_576).fixed(1), (load.peak / 1_048_576).fixed(1), "\(load.errors)",
                    ])
                outcome.figures += self.figures(load, server, count)
                if load.errors > 0 {
                    outcome.notes.append(
                        "INVALID: \(self.title), \(server), \(count) connections: \(load.errors) errors.")
                }
            }
        }
        outcome.tables = [Outcome.Table(title: self.title, rows: rows)]
        outcome.charts = [
            self.chart("requests", "/s", places: self.places, \.requestsPerSecond),
            self.chart("p99", "ms", places: 2, \.p99),
        ]
        return outcome
    }

    /// Only errors are gated: the rest depends on other load on the machine. With errors there are no other figures.
    private func figures(_ load: Load, _ server: String, _ count: Int) -> [Figure] {
        let name = "serve \(self.name) \(count) connections" + (server == "OneSheet" ? "" : " \(server)")
        let gate = server == "OneSheet" ? Gate(.lower, band: 0) : nil
        let errors = Figure("\(name) errors", Double(load.errors), "", gate: gate)
        guard load.errors == 0 else { return [errors] }
        let ratio = self.ratio(server, count).map { [Figure("\(name) requests/s of nginx's", $0, "")] } ?? []
        return ratio + [
            Figure("\(name) requests/s", load.requestsPerSecond, "requests/s"),
            Figure("\(name) p50", load.p50, "ms"), Figure("\(name) p99", load.p99, "ms"),
            Figure("\(name) p99.9", load.p999, "ms"),
            Figure("\(name) CPU per 1000 requests", load.cpuPerThousand, "s"),
            Figure("\(name) resident", load.resident, "bytes"), Figure("\(name) peak", load.peak, "bytes"), errors,
        ]
    }

    private func chart(_ suffix: String, _ unit: String, places: Int, _ value: (Load) -> Double) -> any Chart {
        let groups = self.connections.map { count in
            BarChart.Group(
                title: "\(count) connections",
                values: self.servers.map { server in
                    self.load(server, count).flatMap { $0.errors == 0 ? value($0) : nil }
                })
        }
        return BarChart(
            name: "serve-\(self.name.replacing(" ", with: "-"))-\(suffix)", title: "\(self.title), \(suffix)",
            unit: unit, series: self.servers, groups: groups, places: places)
    }
}

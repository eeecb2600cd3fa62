/// Clients that each request a different cold variant and disconnect before the response.
struct LeavingCase: ServeCase {
    /// Milliseconds until clients disconnect.
    private static let stay = 5
    /// Milliseconds for which the server is observed afterwards.
    private static let watch = 1000

    let settings: ServeSettings

    private var crowds: [Int] { self.settings.connections.filter { $0 > 1 } }

    var stepCount: Int { self.crowds.count }

    func measure(_ progress: inout Progress) throws -> Outcome {
        let folder = try self.settings.folder("leaving")
        let (service, ids) = try Server.oneSheet(self.settings.program, in: folder)
        var variants = ColdVariants(ids: ids)
        var outcome = Outcome()
        var rows = [
            [
                "clients", "CPU ms after", "CPU ms of as many renders", "next answered ms", "alone ms", "resident MiB",
                "errors",
            ]
        ]
        for clients in self.crowds {
            progress.step("clients that leave, \(clients) clients")
            var (after, next, alone, cost): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
            var errors = 0
            for _ in 0..<self.settings.rounds {
                for _ in 0..<ids.count / 4 {
                    let before = try ProcessUsage(of: service.process.id).cpuSeconds
                    let one = try self.ask(service, &variants)
                    alone.append(one.milliseconds)
                    cost.append((try ProcessUsage(of: service.process.id).cpuSeconds - before) * 1e3)
                    errors += one.errors
                }
                after.append(try self.leave(service, clients: clients, &variants))
                _ = try self.leave(service, clients: clients, &variants, watch: 0)
                let one = try self.ask(service, &variants)
                next.append(one.milliseconds)
                errors += one.errors
                try service.waitUntilIdle()
            }
            let resident = Double(try ProcessUsage(of: service.process.id).resident)
            let whole = cost.reduce(0, +) / Double(cost.count) * Double(clients)
            rows.append([
                "\(clients)", Median.of(after).fixed(1), whole.fixed(0), Median.of(next).fixed(2),
                Median.of(alone).fixed(2), (resident / 1_048_576).fixed(1), "\(errors)",
            ])
            let name = "serve leaving \(clients) clients"
            outcome.figures.append(Figure("\(name) errors", Double(errors), "", gate: Gate(.lower, band: 0)))
            if errors > 0 {
                outcome.notes.append("INVALID: clients that leave, \(clients) clients: \(errors) errors.")
                continue
            }
            outcome.figures += [
                Figure("\(name) CPU after", Median.of(after), "ms"), Figure("\(name) CPU of all renders", whole, "ms"),
                Figure("\(name) next answered", Median.of(next), "ms"),
                Figure("\(name) alone answered", Median.of(alone), "ms"), Figure("\(name) resident", resident, "bytes"),
            ]
        }
        outcome.tables = [Outcome.Table(title: "clients that leave after \(Self.stay) ms", rows: rows)]
        return outcome
    }

    /// - Returns: The server's CPU time in milliseconds within ``watch`` after the last client disconnected.
    private func leave(
        _ service: Server, clients: Int, _ variants: inout ColdVariants, watch: Int = Self.watch
    ) throws(BenchError) -> Double {
        let targets = try variants.take(clients, on: service)
        do {
            let crowd = try Crowd(port: service.port, count: clients)
            try Interruption.sleep(milliseconds: 20)
            try crowd.send(targets)
            try Interruption.sleep(milliseconds: Self.stay)
            withExtendedLifetime(crowd) {}
        }
        guard watch > 0 else { return 0 }
        let before = try ProcessUsage(of: service.process.id).cpuSeconds
        try Interruption.sleep(milliseconds: watch)
        return (try ProcessUsage(of: service.process.id).cpuSeconds - before) * 1e3
    }

    private func ask(
        _ service: Server, _ variants: inout ColdVariants
    ) throws(BenchError) -> (milliseconds: Double, errors: Int) {
        let (answer, nanoseconds) = try Crowd.ask(try variants.take(1, on: service)[0], port: service.port)
        return (Double(nanoseconds) / 1e6, answer.status == 200 ? 0 : 1)
    }
}

/// Many clients request the same cold variant at once.
struct CoalescedCase: ServeCase {
    private static let poster = "nosferatu-1922"

    let settings: ServeSettings

    private var crowds: [Int] { self.settings.connections.filter { $0 > 1 } }

    var stepCount: Int { self.crowds.count }

    private struct Round {
        /// Time until the last response, and the server's CPU time, in milliseconds.
        var time = 0.0
        var cpu = 0.0
        var renders = 0
        var errors = 0
    }

    func measure(_ progress: inout Progress) throws -> Outcome {
        let folder = try self.settings.folder("coalesced")
        let service = try Server.oneSheet(self.settings.program, in: folder).server
        var variants = ColdVariants(ids: [Self.poster])
        // Warms up: the first request on a connection is cheaper than connecting, and the first renders are slow.
        for _ in 0..<5 { _ = try self.round(service, clients: 1, &variants) }
        var outcome = Outcome()
        var rows = [["clients", "renders", "all answered ms", "alone ms", "CPU ms", "alone CPU ms", "errors"]]
        for clients in self.crowds {
            progress.step("coalesced misses, \(clients) clients")
            var (together, alone): ([Round], [Round]) = ([], [])
            // Each takes milliseconds, so a round consists of five.
            for _ in 0..<5 * self.settings.rounds {
                alone.append(try self.round(service, clients: 1, &variants))
                together.append(try self.round(service, clients: clients, &variants))
            }
            let median = { (rounds: [Round], value: (Round) -> Double) in Median.of(rounds.map(value)) }
            let errors = together.map(\.errors).reduce(0, +)
            let renders = Double(together.map(\.renders).reduce(0, +)) / Double(together.count)
            let times = (median(together, \.time), median(alone, \.time), median(together, \.cpu), median(alone, \.cpu))
            rows.append([
                "\(clients)", renders.fixed(2), times.0.fixed(2), times.1.fixed(2), times.2.fixed(2), times.3.fixed(2),
                "\(errors)",
            ])
            let name = "serve coalesced \(clients) clients"
            outcome.figures.append(Figure("\(name) errors", Double(errors), "", gate: Gate(.lower, band: 0)))
            if errors > 0 {
                outcome.notes.append("INVALID: coalesced misses, \(clients) clients: \(errors) errors.")
                continue
            }
            outcome.figures += [
                Figure("\(name) renders", renders, ""), Figure("\(name) all answered", times.0, "ms"),
                Figure("\(name) alone answered", times.1, "ms"), Figure("\(name) CPU", times.2, "ms"),
                Figure("\(name) alone CPU", times.3, "ms"),
            ]
        }
        outcome.tables = [Outcome.Table(title: "coalesced misses, each round another variant", rows: rows)]
        return outcome
    }

    private func round(
        _ service: Server, clients: Int, _ variants: inout ColdVariants
    ) throws(BenchError) -> Round {
        let crowd = try Crowd(port: service.port, count: clients)
        // Lets the server accept the connections, which must not count.
        try Interruption.sleep(milliseconds: 20)
        let target = try variants.take(1, on: service)[0]
        let before = try ProcessUsage(of: service.process.id).cpuSeconds
        let answers = try crowd.ask(Array(repeating: target, count: clients))
        let after = try ProcessUsage(of: service.process.id).cpuSeconds
        var round = Round()
        round.time = Double(answers.map(\.nanoseconds).max() ?? 0) / 1e6
        round.cpu = (after - before) * 1e3
        for (answer, _) in answers {
            let way = answer.field("Cache-Status") ?? ""
            if !way.contains("collapsed"), !way.contains("hit") { round.renders += 1 }
            if answer.status != 200 { round.errors += 1 }
        }
        return round
    }
}

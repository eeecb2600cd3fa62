/// Cold renders: every request is for another variant; the originals are on disk.
struct MissCase: ServeCase {
    /// So that it is full within one measurement, and memory is that of a full cache.
    private static let budget = "32MiB"

    let settings: ServeSettings

    /// A codec has no more threads than there are cores: a few connections keep it busy.
    private var connections: [Int] { Array(Set(self.settings.connections.map { min($0, 32) } + [1, 8])).sorted() }

    var stepCount: Int { self.connections.count }

    func measure(_ progress: inout Progress) throws -> Outcome {
        let folder = try self.settings.folder("miss")
        let (service, ids) = try Server.oneSheet(
            self.settings.program, in: folder, options: ["--memory-budget", Self.budget])
        var servers = [service]
        if let thumbor = try Server.thumbor(origin: service, in: folder) {
            servers.append(thumbor)
            for id in ids { _ = try Crowd.ask(thumbor.target(id, "16", nil), port: thumbor.port) }
        }
        let wrk = try Wrk(folder: folder)
        var table = LoadTable(
            name: "miss", title: "miss, \(ids.count) originals", servers: servers.map(\.name),
            connections: self.connections, places: 1)
        // A walk for each, so that what one makes of a variant is not what the other one needs.
        var variants = servers.map { _ in ColdVariants(ids: ids) }
        for connections in self.connections {
            progress.step("\(table.title), \(connections) connections")
            for round in 0...self.settings.rounds {
                for (index, server) in servers.enumerated() {
                    let seconds = round == 0 ? 1 : self.settings.seconds
                    let script = WrkScript(variants[index], on: server)
                    let (load, count) = try wrk.run(script, on: server, connections: connections, seconds: seconds)
                    try variants[index].skip(count)
                    // What was under way when wrk ended must not be a part of the next measurement.
                    try server.waitUntilIdle()
                    if round > 0 { table.add(load, server: server.name, connections: connections) }
                }
            }
        }
        var outcome = table.outcome
        outcome.notes.append("miss: the cache of variants has \(Self.budget); answers from a cache count as errors.")
        return outcome
    }
}

/// Cold renders: each request is for a different variant; the originals are on disk.
struct MissCase: ServeCase {
    /// Small enough to fill within one measurement, so that the measured memory includes a full cache.
    private static let budget = "32MiB"

    let settings: ServeSettings

    /// A codec has at most as many threads as there are cores: a few connections keep it busy.
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
        // A separate sequence for each server, so that one server's requests do not consume another's variants.
        var variants = servers.map { _ in ColdVariants(ids: ids) }
        for connections in self.connections {
            progress.step("\(table.title), \(connections) connections")
            for round in 0...self.settings.rounds {
                for (index, server) in servers.enumerated() {
                    let seconds = round == 0 ? 1 : self.settings.seconds
                    let script = WrkScript(variants[index], on: server)
                    let (load, count) = try wrk.run(script, on: server, connections: connections, seconds: seconds)
                    try variants[index].skip(count)
                    // Pending work must not affect the next measurement.
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

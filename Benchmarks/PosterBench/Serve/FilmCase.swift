/// Cached responses about films: lists, search and details of the embedded catalogue, with their bytes or with 304.
struct FilmCase: ServeCase {
    private static let targets = [
        ("list", "/movies/lists/popular?language=en"), ("home", "/movies/home?language=en"),
        ("search", "/movies/search?query=metropolis&language=en"), ("film", "/movies/nosferatu-1922?language=en"),
        ("box office", "/box-office/daily?language=en"),
    ]
    /// Whether clients send `If-None-Match`.
    private static let ways = [false, true]

    let settings: ServeSettings

    var stepCount: Int { Self.targets.count * Self.ways.count * self.settings.connections.count }

    func measure(_ progress: inout Progress) throws -> Outcome {
        let server = try Server.oneSheet(self.settings.program, in: try self.settings.folder("films")).server
        let wrk = try Wrk(folder: self.settings.folder("films-load"))
        var outcome = Outcome()
        for (name, target) in Self.targets {
            for isConditional in Self.ways {
                let script = try self.script(server, target, isConditional: isConditional)
                let name = isConditional ? "\(name) 304" : name
                var table = LoadTable(
                    name: name, title: "\(name), GET \(target)", servers: [server.name],
                    connections: self.settings.connections)
                for connections in self.settings.connections {
                    progress.step("\(name), \(connections) connections")
                    _ = try wrk.run(script, on: server, connections: connections, seconds: 1)
                    for _ in 0..<self.settings.rounds {
                        let load = try wrk.run(
                            script, on: server, connections: connections, seconds: self.settings.seconds
                        ).load
                        table.add(load, server: server.name, connections: connections)
                    }
                }
                outcome.append(table.outcome)
            }
        }
        return outcome
    }

    private func script(_ server: Server, _ target: String, isConditional: Bool) throws(BenchError) -> WrkScript {
        let first = try Crowd.ask(target, port: server.port).answer
        guard first.status == 200, let tag = first.field("ETag") else {
            throw BenchError("\(server.name) answers \(target) with \(first.status)")
        }
        return WrkScript(target: target, fields: isConditional ? [(name: "If-None-Match", value: tag)] : [])
    }
}

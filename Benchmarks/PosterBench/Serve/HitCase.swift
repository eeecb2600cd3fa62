/// Cached variants: responses with their bytes, or with 304.
struct HitCase: ServeCase {
    /// Widths at which a poster's JPEGs have about 10, 30 and 60 KB.
    static let widths = [145, 285, 425]
    private static let poster = "rashomon-1950"

    let settings: ServeSettings
    let widths: [Int]
    let isConditional: Bool

    private var name: String { self.isConditional ? "304" : "hit" }

    var stepCount: Int { self.widths.count * self.settings.connections.count }

    func measure(_ progress: inout Progress) throws -> Outcome {
        let folder = try self.settings.folder(self.name)
        let service = try Server.oneSheet(self.settings.program, in: folder).server
        var servers = [service]
        if let nginx = try Server.nginx(before: service, in: folder) { servers.append(nginx) }
        if let thumbor = try Server.thumbor(origin: service, in: folder) { servers.append(thumbor) }
        let wrk = try Wrk(folder: folder)
        var outcome = Outcome()
        for width in self.widths {
            let subjects = try servers.map { try self.subject($0, width: width) }
            let size = subjects[0].byteCount
            let nominal = self.isConditional ? "" : " \(Self.nominal(size)) KB"
            var table = LoadTable(
                name: self.name + nominal, title: self.isConditional ? "304" : "hit, \(size) bytes",
                servers: servers.map(\.name), connections: self.settings.connections)
            for connections in self.settings.connections {
                progress.step("\(table.title), \(connections) connections")
                let used = subjects.filter { $0.script != nil }
                for subject in used { _ = try self.run(wrk, subject, connections: connections, seconds: 1) }
                for _ in 0..<self.settings.rounds {
                    for subject in used {
                        let load = try self.run(
                            wrk, subject, connections: connections, seconds: self.settings.seconds)
                        table.add(load, server: subject.server.name, connections: connections)
                    }
                }
            }
            outcome.append(table.outcome)
        }
        return outcome
    }

    /// A server and its requests; `script` is `nil` if it cannot answer them.
    private struct Subject {
        let server: Server
        let script: WrkScript?
        let byteCount: Int
    }

    private func run(_ wrk: Wrk, _ subject: Subject, connections: Int, seconds: Int) throws(BenchError) -> Load {
        guard let script = subject.script else { throw BenchError("\(subject.server.name) cannot answer this request") }
        return try wrk.run(script, on: subject.server, connections: connections, seconds: seconds).load
    }

    /// Ensures a hit, and verifies the response.
    private func subject(_ server: Server, width: Int) throws(BenchError) -> Subject {
        let target = server.target(Self.poster, "\(width)", nil)
        var fields = self.settings.accept.map { [(name: "Accept", value: $0)] } ?? []
        var first: ClientConnection.Answer?
        for _ in 0..<2 { first = try self.ask(server, target, fields) }
        guard let first, first.status == 200 else {
            throw BenchError("\(server.name) answers \(target) with \(first?.status ?? 0)")
        }
        guard self.isConditional else {
            return Subject(
                server: server, script: WrkScript(target: target, fields: fields), byteCount: first.byteCount)
        }
        guard let tag = first.field("ETag") else { return Subject(server: server, script: nil, byteCount: 0) }
        fields.append((name: "If-None-Match", value: tag))
        let second = try self.ask(server, target, fields)
        let script = second.status == 304 ? WrkScript(target: target, fields: fields) : nil
        return Subject(server: server, script: script, byteCount: 0)
    }

    private func ask(
        _ server: Server, _ target: String, _ fields: [(name: String, value: String)]
    ) throws(BenchError) -> ClientConnection.Answer {
        let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return try Crowd.ask(target, port: server.port, fields: lines).answer
    }

    /// Rounds to tens of kilobytes, so that small changes of the encoder do not rename figures.
    private static func nominal(_ byteCount: Int) -> Int {
        max(1, (byteCount + 5_000) / 10_000) * 10
    }
}

extension Server {
    /// The service, with all originals of its catalogue on disk.
    ///
    /// - Parameters:
    ///   - program: Path of `onesheet`; its resources are beside it.
    ///   - folder: The folder for its data and its log.
    ///   - options: Additional options of `serve`.
    static func oneSheet(
        _ program: String, in folder: String, options: [String] = []
    ) throws(BenchError) -> (server: Server, ids: [String]) {
        // All clients have one address. Set by a variable, so that builds without the option can be compared.
        let words = [
            "/usr/bin/env", "ONESHEET_CONNECTIONS_PER_ADDRESS=0", program, "serve", "--port", "0", "--data-dir",
            "\(folder)/data",
        ]
        let process = try RunningProcess(words + options, log: "\(folder)/onesheet.log")
        let port = try process.wait {
            process.text.firstRange(of: "http://127.0.0.1:").flatMap { found in
                let rest = process.text[found.upperBound...]
                return rest.contains("/") ? UInt16(rest.prefix(while: \.isNumber)) : nil
            }
        }
        let server = Server(name: "OneSheet", port: port, process: process) { id, width, quality in
            "/poster/\(id)?w=\(width)" + (quality.map { "&q=\($0)" } ?? "")
        }
        let ids = try Self.ids(port)
        for id in ids {
            let answer = try Crowd.ask(server.target(id, "16", nil), port: port).answer
            guard answer.status == 200 else { throw BenchError("\(id) cannot be rendered: status \(answer.status)") }
        }
        return (server, ids)
    }

    private static func ids(_ port: UInt16) throws(BenchError) -> [String] {
        let page = try Crowd.ask("/", port: port, keepsBody: true).answer
        let ids = String(decoding: page.body, as: UTF8.self).split(separator: "<a href=\"/poster/").dropFirst()
            .map { String($0.prefix { $0 != "\"" }) }
        guard !ids.isEmpty else { throw BenchError("the catalogue's page has no posters") }
        return ids
    }
}

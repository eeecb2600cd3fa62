import Glibc

/// Clients that send requests at the same time, all in one thread.
struct Crowd {
    /// A response, and its completion time in nanoseconds after the first request.
    typealias TimedAnswer = (answer: ClientConnection.Answer, nanoseconds: UInt64)

    private static let patience = 30

    private let connections: [ClientConnection]

    init(port: UInt16, count: Int, keepsBody: Bool = false) throws(BenchError) {
        var connections: [ClientConnection] = []
        for _ in 0..<count { connections.append(try ClientConnection(port: port, keepsBody: keepsBody)) }
        self.connections = connections
    }

    func send(_ targets: [String], fields: String = "") throws(BenchError) {
        for (connection, target) in zip(self.connections, targets) { try connection.send(target, fields: fields) }
    }

    func ask(_ targets: [String], fields: String = "") throws(BenchError) -> [TimedAnswer] {
        let start = Clock.now()
        try self.send(targets, fields: fields)
        var waiting = self.connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var answers: [TimedAnswer] = []
        while answers.count < self.connections.count {
            try Interruption.check()
            guard Clock.now() - start < UInt64(Self.patience) * 1_000_000_000 else {
                throw BenchError("\(waiting.count - answers.count) answers are missing after \(Self.patience) s")
            }
            guard poll(&waiting, nfds_t(waiting.count), 100) > 0 else { continue }
            for index in waiting.indices where waiting[index].revents != 0 {
                guard let answer = try self.connections[index].receive() else { continue }
                answers.append((answer, Clock.now() - start))
                waiting[index].fd = -1
            }
        }
        return answers
    }

    static func ask(
        _ target: String, port: UInt16, fields: String = "", keepsBody: Bool = false
    ) throws(BenchError) -> TimedAnswer {
        try Crowd(port: port, count: 1, keepsBody: keepsBody).ask([target], fields: fields)[0]
    }
}

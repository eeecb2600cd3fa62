import Glibc

/// Clients that do the same at the same time, all in one thread.
struct Crowd {
    /// An answer, and how long after the first request it was complete, in nanoseconds.
    typealias TimedAnswer = (answer: ClientConnection.Answer, nanoseconds: UInt64)

    /// How long answers may take, in seconds.
    private static let patience = 30

    private let connections: [ClientConnection]

    /// Connects `count` clients that say nothing yet.
    init(port: UInt16, count: Int, keepsBody: Bool = false) throws(BenchError) {
        var connections: [ClientConnection] = []
        for _ in 0..<count { connections.append(try ClientConnection(port: port, keepsBody: keepsBody)) }
        self.connections = connections
    }

    /// Each client sends its request.
    ///
    /// - Parameter targets: One for each client.
    func send(_ targets: [String], fields: String = "") throws(BenchError) {
        for (connection, target) in zip(self.connections, targets) { try connection.send(target, fields: fields) }
    }

    /// Sends, and waits until all are answered.
    func ask(_ targets: [String], fields: String = "") throws(BenchError) -> [TimedAnswer] {
        let start = Clock.now()
        try self.send(targets, fields: fields)
        var waiting = self.connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var answers: [TimedAnswer] = []
        while answers.count < self.connections.count {
            try Interruption.check()
            guard Clock.now() - start < UInt64(Self.patience) * 1_000_000_000 else {
                throw BenchError("\(waiting.count - answers.count) answers have not come in \(Self.patience) s")
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

    /// One client's question.
    static func ask(
        _ target: String, port: UInt16, fields: String = "", keepsBody: Bool = false
    ) throws(BenchError) -> TimedAnswer {
        try Crowd(port: port, count: 1, keepsBody: keepsBody).ask([target], fields: fields)[0]
    }
}

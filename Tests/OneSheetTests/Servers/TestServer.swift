import PosterTesting
import Testing

/// A running `serve`: ``InProcessServer``, or ``RunningServer`` where it must be a process.
protocol TestServer: Sendable {
    /// Where it listens on 127.0.0.1.
    var port: Int { get }
    /// Its log so far.
    var errors: String { get }

    /// Stops gracefully.
    /// - Returns: The exit status.
    func stop() async -> Int32
    /// Ends at once.
    func kill() async
}

extension TestServer {
    func connect() throws -> HTTPConnection {
        try HTTPConnection(port: self.port)
    }

    /// One request on a connection of its own.
    func get(
        _ target: String, headers: [String: String] = [:], method: String = "GET"
    ) async throws -> HTTPConnection.Answer {
        try await self.connect().get(target, headers: headers, method: method)
    }

    /// A metric without a label.
    func metric(_ name: String) async throws -> Int {
        let lines = try await self.get("/metrics").text.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix(name + " ") })
        return try #require(Int(line.dropFirst(name.count + 1)))
    }
}

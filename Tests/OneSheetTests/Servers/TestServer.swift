import PosterTesting
import Testing

/// A running `serve`: ``InProcessServer``, or ``RunningServer`` where a process is needed.
protocol TestServer: Sendable {
    /// TCP port on 127.0.0.1.
    var port: Int { get }
    /// The log so far.
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

    /// Sends a request on a new connection.
    func get(
        _ target: String, headers: [String: String] = [:], method: String = "GET"
    ) async throws -> HTTPConnection.Answer {
        try await self.connect().get(target, headers: headers, method: method)
    }

    /// The value of a metric without labels.
    func metric(_ name: String) async throws -> Int {
        let lines = try await self.get("/metrics").text.split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix(name + " ") })
        return try #require(Int(line.dropFirst(name.count + 1)))
    }
}

package import PosterTesting
package import RedisClient

/// A server and a client that runs for as long as a test does.
package struct RedisFixture: Sendable {
    package let server: RedisServer
    package let client: RedisClient
    package let log: LogRecorder

    /// Runs `body` with both, and ends them.
    /// - Parameters:
    ///   - url: Without the port.
    ///   - configure: Deadlines are long unless it shortens them, and pauses between attempts to connect are short.
    /// - Throws: What starting the server and `body` throw.
    package static func with(
        _ settings: RedisServer.Settings = RedisServer.Settings(), url: String = "redis://127.0.0.1",
        configure: (inout RedisConfiguration) -> Void = { _ in },
        _ body: @Sendable @escaping (RedisFixture) async throws -> Void
    ) async throws {
        let server = try await RedisServer(settings)
        var configuration = RedisConfiguration(address: try RedisAddress("\(url):\(server.port)"))
        configuration.connectTimeout = .seconds(10)
        configuration.hangTimeout = .seconds(10)
        configuration.commandTimeout = .seconds(10)
        configuration.backOff.first = .milliseconds(1)
        configuration.backOff.longest = .milliseconds(20)
        configure(&configuration)
        let log = LogRecorder()
        let client = RedisClient(configuration, logger: log.logger())
        let fixture = RedisFixture(server: server, client: client, log: log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            group.addTask { try await body(fixture) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Returns once commands are sent.
    package func connected() async throws {
        try await eventually { self.client.status.isConnected }
    }
}

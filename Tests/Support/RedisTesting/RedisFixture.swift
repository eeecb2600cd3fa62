package import PosterTesting
package import RedisClient

/// A Redis server and a running client.
package struct RedisFixture: Sendable {
    package let server: RedisServer
    package let client: RedisClient
    package let log: LogRecorder

    /// Runs `body` with a server and a client, then ends both.
    /// - Parameters:
    ///   - url: The URL without the port.
    ///   - configure: Changes the configuration. Its default has long deadlines and short reconnection pauses.
    /// - Throws: Errors of starting the server and of `body`.
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

    /// Returns once the client is connected.
    package func connected() async throws {
        try await eventually { self.client.status.isConnected }
    }
}

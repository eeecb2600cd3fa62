import Foundation
import PosterTesting
import Synchronization
import Testing

/// Starts and stops under a flood of connections that open and close at once.
@Suite(.serialized, .timeLimit(.hang))
struct ConnectFloodTests {
    private static let rounds = 4
    private static let clients = 2

    /// Disables backtraces, so that a crash ends the process at once.
    private static let environment = ["SWIFT_BACKTRACE": "enable=no"]

    private let folder = TemporaryFolder()

    /// Connects to `port` and disconnects at once, repeatedly and from several threads, during `body`.
    private func flood<Value: Sendable>(
        _ port: Int, _ body: @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        let isOver = Over()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.clients {
                group.addTask {
                    try await onOwnThread {
                        // The server may not listen yet, or may have stopped.
                        while !isOver.value {
                            (try? HTTPConnection(port: port))?.close()
                            sched_yield()  // leaves CPU time to other tests
                        }
                    }
                }
            }
            defer { isOver.set() }
            return try await body()
        }
    }

    private final class Over: Sendable {
        private let flag = Atomic(false)

        var value: Bool { self.flag.load(ordering: .relaxed) }

        func set() {
            self.flag.store(true, ordering: .relaxed)
        }
    }

    @Test func anImmediateStopEndsWithoutAnError() async throws {
        for _ in 0..<Self.rounds {
            let server = try await ListeningProgram(
                ["--port", "0", "--stop-timeout", "0"], environment: Self.environment)
            let port = try server.port()
            let status = try await self.flood(port) {
                // Connections that are certainly being accepted when the server stops.
                for _ in 0..<20 { _ = try HTTPConnection(port: port) }
                return try await server.stop()
            }
            #expect(status == 0, "\(server.errors)")
        }
    }

    @Test func aStartThatFailsAcceptsNoConnectionAndSaysWhy() async throws {
        let port = try FreePort.find()
        let path = self.folder.path + "/none/socket"
        let data = self.folder.path + "/data"
        try await self.flood(port) {
            for _ in 0..<Self.rounds {
                let outcome = try await Program.run(
                    ["serve", "--port", "\(port)", "--unix-socket", path, "--data-dir", data],
                    environment: Self.environment)
                #expect(outcome.status == 1 && outcome.errors.contains(path), "\(outcome.status): \(outcome.errors)")
            }
        }
    }
}

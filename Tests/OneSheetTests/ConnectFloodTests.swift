import Foundation
import PosterTesting
import Synchronization
import Testing

/// Starts and stops while clients come and go as fast as they can.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConnectFloodTests {
    private static let rounds = 4
    private static let clients = 2

    /// A crash ends at once, without a report of it.
    private static let environment = ["SWIFT_BACKTRACE": "enable=no"]

    private let folder = TemporaryFolder()

    /// Has threads connect to `port` and leave at once, for as long as `body` runs.
    private func flood<Value: Sendable>(
        _ port: Int, _ body: @Sendable @escaping () async throws -> Value
    ) async throws -> Value {
        let isOver = Over()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.clients {
                group.addTask {
                    try await onOwnThread {
                        // There may be no listener yet, or no longer.
                        while !isOver.value {
                            (try? HTTPConnection(port: port))?.close()
                            sched_yield()  // the other tests want the processor
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
                // Some of them are on their way for certain.
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

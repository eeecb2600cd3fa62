import Flights
import Foundation
import Logging
import PosterTesting
import ServiceLifecycle
import Testing

@testable import OneSheetServer

@Suite(.timeLimit(.hang))
struct ControlTests {
    private let folder = TemporaryFolder()
    private let clock = ManualClock()

    /// Runs a server during `body`, which can stop it.
    private func withServer(
        in directory: String? = nil, handler: @escaping ControlServer.Handler,
        _ body: @escaping @Sendable (_ directory: String, _ stop: @Sendable () async -> Void) async throws -> Void
    ) async throws {
        let directory = directory ?? self.folder.path
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = ControlServer(directory: directory, logger: logger, now: self.clock.now, handler: handler)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            try await eventually { try Self.isServed(directory) }
            try await body(directory) { await services.triggerGracefulShutdown() }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    private static func isServed(_ directory: String) throws -> Bool {
        guard let socket = try ControlSocket.connect(in: directory) else { return false }
        close(socket)
        return true
    }

    private static func events(_ directory: String, _ request: ControlRequest) async throws -> [ControlEvent] {
        var events: [ControlEvent] = []
        let isServed = try await ControlClient.send(request, toServerOf: directory) { events.append($0) }
        #expect(isServed)
        return events
    }

    @Test(
        "requests arrive as they were sent",
        arguments: [
            ControlRequest.purge(ids: ["sample:a", "mine:ä\n"]), .verify(repair: true),
            .warm(ids: [], widths: [92, 368], formats: ["webp"]), .status(all: true),
        ])
    func requests(request: ControlRequest) async throws {
        try await self.withServer { received, emit in
            try await emit(.finished(summary: ["one": 1], text: "\(received)"))
        } _: { directory, _ in
            let events = try await Self.events(directory, request)
            #expect(events == [.finished(summary: ["one": 1], text: "\(request)")])
        }
    }

    @Test func theLinesAreWhatTheyWereInTheFirstVersion() throws {
        let request = try JSONLine.encode(ControlRequest.warm(ids: ["a"], widths: [92], formats: ["webp"]))
        #expect(request == #"{"warm":{"formats":["webp"],"ids":["a"],"widths":[92]}}"#)
        let event = try JSONLine.encode(ControlEvent.progress(done: 1, total: nil, note: "n"))
        #expect(event == #"{"progress":{"done":1,"note":"n"}}"#)
    }

    @Test func whereNoServerRunsThereIsNoClient() async throws {
        #expect(try !Self.isServed(self.folder.path))
        #expect(try !Self.isServed(self.folder.path + "/missing"))
        try await self.withServer { _, _ in
        } _: { _, _ in
        }
        #expect(self.folder.files == [])
        #expect(try !Self.isServed(self.folder.path))
        // Simulates a killed process: a socket without a listener.
        close(try ControlSocket.listen(in: self.folder.path))
        #expect(FileManager.default.fileExists(atPath: self.folder.path + "/control.sock"))
        #expect(try !Self.isServed(self.folder.path))
        try await self.withServer { _, emit in
            try await emit(.finished(summary: [:], text: "replaced"))
        } _: { directory, _ in
            let events = try await Self.events(directory, .verify(repair: false)).count
            #expect(events == 1)
        }
    }

    @Test func aLongPathIsNoObstacleAndTheSocketIsItsOwnersAlone() async throws {
        let long = self.folder.path + "/" + String(repeating: "d", count: 200)
        try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
        try await self.withServer(in: long) { _, emit in
            try await emit(.finished(summary: [:], text: "there"))
        } _: { directory, _ in
            let mode = try FileManager.default.attributesOfItem(atPath: long + "/control.sock")[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let events = try await Self.events(directory, .verify(repair: false)).count
            #expect(events == 1)
        }
    }

    @Test func progressIsThinnedOutAndTheLastIsAlwaysSent() async throws {
        let clock = self.clock
        try await self.withServer { _, emit in
            for done in 1...1000 {
                try await emit(.progress(done: done, total: 1000, note: nil))
                if done == 500 { clock.advance(by: .milliseconds(100)) }
            }
            try await emit(.finished(summary: [:], text: ""))
        } _: { directory, _ in
            let done = try await Self.events(directory, .verify(repair: false)).map { event in
                if case .progress(let done, _, _) = event { done } else { 0 }
            }
            #expect(done == [1, 501, 1000, 0])
        }
    }

    @Test func whatTheHandlerThrowsIsAFailureInWords() async throws {
        struct Trouble: Error, CustomStringConvertible { let description = "the disk is full" }
        try await self.withServer { _, _ in
            throw Trouble()
        } _: { directory, _ in
            let events = try await Self.events(directory, .verify(repair: true))
            #expect(events == [.failed(reason: "the disk is full")])
        }
    }

    @Test func aCommandThatLeavesTakesItsRequestBack() async throws {
        let (begun, cancelled, never) = (Gate(), Gate(), Gate())
        try await self.withServer { _, _ in
            begun.open()
            do { try await never.wait() } catch {
                cancelled.open()
                throw error
            }
        } _: { directory, _ in
            let command = Task { try await Self.events(directory, .verify(repair: false)) }
            try await begun.wait()
            command.cancel()
            try await cancelled.wait()
            _ = await command.result
        }
    }

    @Test func aStopCancelsWhatIsUnderWay() async throws {
        let (begun, cancelled, never) = (Gate(), Gate(), Gate())
        try await self.withServer { _, emit in
            try await emit(.progress(done: 1, total: 2, note: nil))
            begun.open()
            do { try await never.wait() } catch {
                cancelled.open()
                throw error
            }
        } _: { directory, stop in
            let command = Task { try await Self.events(directory, .verify(repair: false)) }
            try await begun.wait()
            await stop()
            try await cancelled.wait()
            await #expect(throws: ControlFailure.ended) { try await command.value }
        }
    }

    @Test func commandsBeyondTheLimitAreRefused() async throws {
        let (begun, finish) = (Counter(), Gate())
        try await self.withServer { _, emit in
            begun.increment()
            try await finish.wait()
            try await emit(.finished(summary: [:], text: ""))
        } _: { directory, _ in
            let crowded = [ControlEvent.failed(reason: ControlServer.crowded)]
            let commands = (0..<ControlServer.connectionLimit).map { _ in
                Task {
                    // The connection that checked whether the server runs may still be counted.
                    var events = crowded
                    while events == crowded { events = try await Self.events(directory, .verify(repair: false)) }
                    return events
                }
            }
            try await begun.reached(commands.count)
            let refusal = try await Self.events(directory, .verify(repair: false))
            #expect(refusal == crowded)
            finish.open()
            for command in commands {
                let events = try await command.value
                #expect(events == [.finished(summary: [:], text: "")])
            }
            let events = try await Self.events(directory, .verify(repair: false)).count
            #expect(events == 1)
        }
    }

    @Test("what is no request is refused", arguments: ["{}\n", "GET / HTTP/1.1\r\n\r\n", "\n", "{\"purge\":{}}\n"])
    func garbled(text: String) async throws {
        try await self.withServer { _, _ in
            Issue.record("nothing was asked")
        } _: { directory, _ in
            let answer = try await Self.raw(text, to: directory)
            #expect(answer.contains("uses another protocol"), "\(answer)")
        }
    }

    @Test func aRequestThatIsTooLongIsRefusedAtBothEnds() async throws {
        try await self.withServer { _, _ in
            Issue.record("nothing was asked")
        } _: { directory, _ in
            let ids = [String](repeating: String(repeating: "a", count: 1000), count: 1100)
            await #expect(throws: ControlFailure.tooLong(limit: 1 << 20)) {
                try await Self.events(directory, .purge(ids: ids))
            }
            let answer = try await Self.raw(String(repeating: "a", count: 3 << 20) + "\n", to: directory)
            #expect(answer.contains("more than 1048576 bytes"), "\(answer)")
        }
    }

    /// Sends bytes and reads up to the end.
    private static func raw(_ text: String, to directory: String) async throws -> String {
        let socket = try #require(try ControlSocket.connect(in: directory))
        return try await onOwnThread {
            defer { close(socket) }
            _ = fcntl(socket, F_SETFL, 0)
            _ = send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            var answer: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(socket, &chunk, chunk.count, 0)
                guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
                answer += chunk[..<count]
            }
        }
    }
}

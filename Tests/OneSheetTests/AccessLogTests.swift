import Foundation
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct AccessLogTests {
    private let folder = TemporaryFolder()

    @Test func theProgramWritesALineOfEachRequestAndAllOfThemBeforeItEnds() async throws {
        let (output, errors) = (try OutputPipe(), try OutputPipe())
        let program = try Program.start(
            ["serve", "--port", "0", "--data-dir", self.folder.path, "--access-log", "json", "--log-format", "json"],
            environment: [:], output: output.descriptor, errors: errors.descriptor)
        output.closeWriting()
        errors.closeWriting()
        // Standard output has request lines only; the server's address is on standard error.
        let greeting = try await onOwnThread { Self.readLine(of: errors) }
        let port = try #require(greeting.firstMatch(of: /127\.0\.0\.1:([0-9]+)/).flatMap { Int($0.1) })
        for target in ["/poster/nosferatu-1922?w=46", "/poster/nosferatu-1922?w=46", "/poster/nosferatu-1922?w=5"] {
            let connection = try HTTPConnection(port: port)
            _ = try await connection.get(target, headers: ["X-Request-Id": "mine"])
        }
        program.signal(SIGTERM)
        let text = try await onOwnThread { String(decoding: output.readAll(), as: UTF8.self) }
        #expect(try await onOwnThread { program.wait() } == 0)
        let lines = try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.status) == [200, 200, 400])
        #expect(lines.map(\.way) == ["route", "event-loop", "route"])
        #expect(lines.allSatisfy { $0.requestID == "mine" && $0.client == "127.0.0.1" })
    }

    @Test func theNumbersOfClosedStandardDescriptorsAreNotReused() async throws {
        let socket = self.folder.path + "/socket"
        let nothing = try #require(FileHandle(forUpdatingAtPath: "/dev/null"))
        let program = try ChildProgram(
            "/bin/sh",
            [
                "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", Program.url.path, "serve", "--data-dir", self.folder.path,
                "--unix-socket", socket, "--access-log", "text",
            ], environment: [:], output: nothing.fileDescriptor, errors: nothing.fileDescriptor)
        try await eventually { (try? HTTPConnection(unixSocket: socket)) != nil }
        let answer = try await HTTPConnection(unixSocket: socket).get("/healthz")
        #expect(answer.status == 200)
        for descriptor in 0...2 {
            let path = "/proc/\(program.identifier)/fd/\(descriptor)"
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
        }
        program.signal(SIGTERM)
        #expect(try await onOwnThread { program.wait() } == 0)
    }

    @Test func aLogWithoutAReaderLosesItsLinesOnly() async throws {
        // `RunningServer` closes the server's standard output after reading the address.
        let server = try await RunningServer(dataDirectory: self.folder.path, ["--access-log", "text"])
        for _ in 0..<3 { #expect(try await server.get("/healthz").status == 200) }
        try await eventually { try await server.metric("onesheet_access_log_dropped_lines_total") >= 3 }
        #expect(await server.stop() == 0)
    }

    private struct Line: Decodable {
        let status: Int
        let way: String
        let client: String
        let requestID: String

        enum CodingKeys: String, CodingKey {
            case status, way, client
            case requestID = "request_id"
        }
    }

    private static func readLine(of output: OutputPipe) -> String {
        var text = ""
        while !text.contains("\n") {
            let bytes = output.read()
            guard !bytes.isEmpty else { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }
}

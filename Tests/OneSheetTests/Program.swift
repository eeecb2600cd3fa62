import Foundation
import PosterTesting

/// The program `onesheet` as it was built beside these tests.
enum Program {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    static var url: URL {
        // Tests run from the folder that the program was built into.
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(
            path: "onesheet")
    }

    /// Runs the program to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], output handle: FileHandle? = nil
    ) async throws -> Outcome {
        let process = Self.process(arguments, environment: environment)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = handle ?? output
        if handle != nil { try? output.fileHandleForWriting.close() }
        process.standardError = errors
        return try await onOwnThread {
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return Outcome(status: process.terminationStatus, output: text, errors: complaints)
        }
    }

    static func process(_ arguments: [String], environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = self.url
        process.arguments = arguments
        // Nothing of the tests' own environment but what a program needs to start.
        let own = ProcessInfo.processInfo.environment
        let kept = own.filter { ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"].contains($0.key) }
        process.environment = kept.merging(environment) { $1 }
        return process
    }
}

/// A running `onesheet serve`.
final class RunningServer {
    let port: Int
    private let process: Process

    /// Starts a server on a free port and returns when it serves.
    init(dataDirectory: String, _ arguments: [String] = [], environment: [String: String] = [:]) async throws {
        let process = Program.process(
            ["serve", "--port", "0", "--data-dir", dataDirectory] + arguments, environment: environment)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        self.process = process
        self.port = try await onOwnThread {
            try process.run()
            var text = ""
            while !text.contains("\n") {
                let data = output.fileHandleForReading.availableData
                guard !data.isEmpty else { throw HTTPConnection.Failure.notServing }
                text += String(decoding: data, as: UTF8.self)
            }
            let digits = text.split(separator: ":").dropFirst(2).first?.prefix { $0.isNumber }
            guard let port = digits.flatMap({ Int($0) }) else { throw HTTPConnection.Failure.notServing }
            return port
        }
    }

    func get(_ target: String, headers: [String: String] = [:]) async throws -> HTTPConnection.Answer {
        try await HTTPConnection(port: self.port).get(target, headers: headers)
    }

    /// Without a chance to tidy up.
    func kill() async {
        Foundation.kill(self.process.processIdentifier, SIGKILL)
        await self.ended()
    }

    /// As an operator would.
    ///
    /// - Returns: The exit status.
    func stop() async -> Int32 {
        self.process.terminate()
        await self.ended()
        return self.process.terminationStatus
    }

    private func ended() async {
        let process = self.process
        try? await onOwnThread { process.waitUntilExit() }  // waiting throws nothing
    }
}

extension HTTPConnection.Failure {
    static var notServing: Self { Self(description: "the server did not say where it serves") }
}

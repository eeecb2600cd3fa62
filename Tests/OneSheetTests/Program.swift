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

    /// - Parameter descriptors: How many files and sockets the process may have open; as many as the tests when nil.
    static func process(
        _ arguments: [String], environment: [String: String], descriptors: Int? = nil
    ) -> Process {
        let process = Process()
        if let descriptors {
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "ulimit -n \(descriptors) && exec \"$0\" \"$@\"", self.url.path] + arguments
        } else {
            process.executableURL = self.url
            process.arguments = arguments
        }
        // Nothing of the tests' own environment but what a program needs to start.
        let own = ProcessInfo.processInfo.environment
        let kept = own.filter { ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"].contains($0.key) }
        process.environment = kept.merging(environment) { $1 }
        return process
    }
}

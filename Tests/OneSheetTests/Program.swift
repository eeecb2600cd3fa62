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
        _ arguments: [String], environment: [String: String] = [:], descriptors: Int? = nil,
        output handle: FileHandle? = nil
    ) async throws -> Outcome {
        let (output, errors) = (try OutputPipe(), try OutputPipe())
        let program = try Self.start(
            arguments, environment: environment, descriptors: descriptors,
            output: handle?.fileDescriptor ?? output.descriptor, errors: errors.descriptor)
        output.closeWriting()
        errors.closeWriting()
        return try await onOwnThread {
            let text = String(decoding: output.readAll(), as: UTF8.self)
            let complaints = String(decoding: errors.readAll(), as: UTF8.self)
            return Outcome(status: program.wait(), output: text, errors: complaints)
        }
    }

    /// - Parameters:
    ///   - descriptors: How many files and sockets the process may have open; as many as the tests when nil.
    ///   - inherited: Sockets that are handed over as systemd does it.
    static func start(
        _ arguments: [String], environment: [String: String], descriptors: Int? = nil, inherited: [Int32] = [],
        output: Int32, errors: Int32
    ) throws -> ChildProgram {
        // Nothing of the tests' own environment but what a program needs to start.
        let own = ProcessInfo.processInfo.environment
        let kept = own.filter { ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"].contains($0.key) }
        var preparation = descriptors.map { "ulimit -n \($0) && " } ?? ""
        // Only the process itself can say which it is.
        if !inherited.isEmpty { preparation += "LISTEN_FDS=\(inherited.count) LISTEN_PID=$$ " }
        let shell = preparation.isEmpty ? [] : ["-c", "\(preparation)exec \"$0\" \"$@\"", Self.url.path]
        return try ChildProgram(
            shell.isEmpty ? Self.url.path : "/bin/sh", shell + arguments,
            environment: kept.merging(environment) { $1 }, output: output, errors: errors, inherited: inherited)
    }
}

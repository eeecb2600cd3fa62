import Foundation
import PosterTesting

/// The program `onesheet` built together with these tests.
enum Program {
    struct Outcome {
        let status: Int32
        let bytes: [UInt8]
        let errors: String

        var output: String { String(decoding: self.bytes, as: UTF8.self) }
    }

    static var url: URL {
        // The test executable is in the same build folder.
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(
            path: "onesheet")
    }

    /// - Parameter input: Bytes of a pipe on standard input, at most the 64 KiB that a pipe holds.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], descriptors: Int? = nil, input: [UInt8]? = nil,
        output handle: FileHandle? = nil
    ) async throws -> Outcome {
        let (output, errors) = (try OutputPipe(), try OutputPipe())
        let pipe = try input.map { bytes in
            let pipe = try OutputPipe()
            precondition(write(pipe.descriptor, bytes, bytes.count) == bytes.count)
            pipe.closeWriting()
            return pipe
        }
        let program = try Self.start(
            arguments, environment: environment, descriptors: descriptors, input: pipe?.readingDescriptor,
            output: handle?.fileDescriptor ?? output.descriptor, errors: errors.descriptor)
        output.closeWriting()
        errors.closeWriting()
        return try await onOwnThread {
            let bytes = output.readAll()
            let complaints = String(decoding: errors.readAll(), as: UTF8.self)
            return Outcome(status: program.wait(), bytes: bytes, errors: complaints)
        }
    }

    /// - Parameters:
    ///   - descriptors: Limit of open files and sockets; the tests' own limit if `nil`.
    ///   - inherited: Sockets passed on with systemd's protocol.
    static func start(
        _ arguments: [String], environment: [String: String], descriptors: Int? = nil, inherited: [Int32] = [],
        input: Int32? = nil, output: Int32, errors: Int32
    ) throws -> ChildProgram {
        // Inherits only the variables that a program needs to start.
        let own = ProcessInfo.processInfo.environment
        let kept = own.filter { ["PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR"].contains($0.key) }
        var preparation = descriptors.map { "ulimit -n \($0) && " } ?? ""
        // LISTEN_PID must be the process's own id, which only its shell can insert.
        if !inherited.isEmpty { preparation += "LISTEN_FDS=\(inherited.count) LISTEN_PID=$$ " }
        let shell = preparation.isEmpty ? [] : ["-c", "\(preparation)exec \"$0\" \"$@\"", Self.url.path]
        return try ChildProgram(
            shell.isEmpty ? Self.url.path : "/bin/sh", shell + arguments,
            environment: kept.merging(environment) { $1 }, input: input, output: output, errors: errors,
            inherited: inherited)
    }
}

import Foundation
import PosterTesting

/// A running `onesheet serve`; killed with this object if it still runs.
final class RunningServer: TestServer {
    let port: Int
    private let program: ChildProgram
    /// Holds its standard error.
    private let folder = TemporaryFolder()

    /// Starts a server on a free port and returns when it serves.
    ///
    /// - Parameter descriptors: How many files and sockets it may have open; as many as the tests when nil.
    init(
        dataDirectory: String, _ arguments: [String] = [], environment: [String: String] = [:],
        descriptors: Int? = nil
    ) async throws {
        let output = try OutputPipe()
        let errors = URL(filePath: self.folder.path + "/errors")
        try Data().write(to: errors)
        let file = try FileHandle(forWritingTo: errors)
        self.program = try Program.start(
            ["serve", "--port", "0", "--data-dir", dataDirectory] + arguments, environment: environment,
            descriptors: descriptors, output: output.descriptor, errors: file.fileDescriptor)
        output.closeWriting()
        try file.close()
        self.port = try await onOwnThread {
            var text = ""
            while !text.contains("\n") {
                let bytes = output.read()
                guard !bytes.isEmpty else { throw HTTPConnection.Failure.notServing }
                text += String(decoding: bytes, as: UTF8.self)
            }
            let digits = text.split(separator: ":").dropFirst(2).first?.prefix { $0.isNumber }
            guard let port = digits.flatMap({ Int($0) }) else { throw HTTPConnection.Failure.notServing }
            return port
        }
    }

    /// Its standard error so far.
    var errors: String {
        FileManager.default.contents(atPath: self.folder.path + "/errors").map { String(decoding: $0, as: UTF8.self) }
            ?? "they cannot be read"
    }

    func signal(_ number: Int32) {
        self.program.signal(number)
    }

    /// Without a chance to tidy up.
    func kill() async {
        self.signal(SIGKILL)
        _ = await self.ended()
    }

    /// As an operator would.
    ///
    /// - Returns: The exit status.
    func stop() async -> Int32 {
        self.signal(SIGTERM)
        return await self.ended()
    }

    /// Waits for its end.
    ///
    /// - Returns: The exit status; the signal's number when one ended it.
    func ended() async -> Int32 {
        let program = self.program
        return (try? await onOwnThread { program.wait() }) ?? 0  // waiting throws nothing
    }
}

// MARK: The kernel's view of it

extension RunningServer {
    /// Files and sockets that it has open.
    var descriptorCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "\(self.kernelFolder)/fd").count }
    }

    /// Memory that it has, in bytes.
    var residentBytes: Int {
        get throws {
            let pages = try String(contentsOfFile: "\(self.kernelFolder)/statm", encoding: .utf8).split(separator: " ")
            return pages.count > 1 ? (Int(pages[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
        }
    }

    private var kernelFolder: String { "/proc/\(self.program.identifier)" }
}

extension HTTPConnection.Failure {
    static var notServing: Self { Self(description: "the server did not say where it serves") }
}

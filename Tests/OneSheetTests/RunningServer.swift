import Foundation
import PosterTesting

/// A running `onesheet serve`; killed on deinit.
final class RunningServer: TestServer {
    let port: Int
    private let program: ChildProgram
    /// Contains the file of the standard error.
    private let folder = TemporaryFolder()

    /// Starts a server on a free port and returns once it accepts connections.
    ///
    /// - Parameter descriptors: Limit of open files and sockets; the tests' own limit if `nil`.
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

    /// Standard error so far.
    var errors: String {
        FileManager.default.contents(atPath: self.folder.path + "/errors").map { String(decoding: $0, as: UTF8.self) }
            ?? "they cannot be read"
    }

    func signal(_ number: Int32) {
        self.program.signal(number)
    }

    /// Sends SIGKILL and waits.
    func kill() async {
        self.signal(SIGKILL)
        _ = await self.ended()
    }

    /// Sends SIGTERM and waits.
    ///
    /// - Returns: The exit status.
    func stop() async -> Int32 {
        self.signal(SIGTERM)
        return await self.ended()
    }

    /// Waits until the program exits.
    ///
    /// - Returns: The exit status, or the number of the signal that ended it.
    func ended() async -> Int32 {
        let program = self.program
        return (try? await onOwnThread { program.wait() }) ?? 0  // waiting does not throw
    }
}

// MARK: The kernel's view of it

extension RunningServer {
    var descriptorCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "\(self.kernelFolder)/fd").count }
    }

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

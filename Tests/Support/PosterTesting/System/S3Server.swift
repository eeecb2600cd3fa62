import Foundation

/// A local S3 server with an empty bucket. It ends with this object.
///
/// `make store-deps` installs the programs; without them tests are skipped.
public final class S3Server: Sendable {
    /// The program that serves S3.
    public enum Kind: String, CaseIterable, Sendable {
        /// `rclone serve s3` checks signatures, sends ranges under a 200, and ignores `If-None-Match`.
        case rclone
        /// `moto_server` honours `If-None-Match`, and does not check signatures.
        case moto

        private var name: String { self == .rclone ? "rclone" : "moto_server" }

        /// The path of the program: `ONESHEET_RCLONE` or `ONESHEET_MOTO_SERVER`, or in the environment that
        /// `make store-deps` creates; `nil` if it does not exist.
        public var program: String? {
            let variable = "ONESHEET_" + self.name.uppercased()
            let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
            let own = package.appending(path: ".build/object-stores/bin/\(self.name)").standardizedFileURL.path
            let paths = [ProcessInfo.processInfo.environment[variable] ?? own]
            return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// The reason for skipping tests without the program.
        public var absence: String { "there is no \(self.name); 'make store-deps' installs it" }
    }

    /// The access key id; both programs accept it.
    public static let accessKeyID = "ONESHEETTEST"
    /// The secret access key; both programs accept it.
    public static let secretAccessKey = "secret-of-the-tests"
    /// The name of the existing bucket.
    public static let bucket = "posters"

    /// The port on 127.0.0.1.
    public let port: Int
    private let program: ChildProgram
    private let folder = TemporaryFolder()

    /// The server's base URL.
    public var endpoint: String { "http://127.0.0.1:\(self.port)" }

    /// Starts the server and returns once it responds.
    ///
    /// - Throws: ``ChildProgram/Failure``, ``EventuallyTimeout``.
    public init(_ kind: Kind) async throws {
        guard let path = kind.program else { throw ChildProgram.Failure(description: kind.absence) }
        let port = try FreePort.find()
        self.port = port
        switch kind {
        case .rclone:
            try FileManager.default.createDirectory(
                atPath: "\(self.folder.path)/data/\(Self.bucket)", withIntermediateDirectories: true)
            self.program = try ChildProgram(
                path,
                [
                    "serve", "s3", "--config", "\(self.folder.path)/rclone.conf", "--auth-key",
                    "\(Self.accessKeyID),\(Self.secretAccessKey)", "--addr", "127.0.0.1:\(port)",
                    "\(self.folder.path)/data",
                ])
        case .moto: self.program = try ChildProgram(path, ["-H", "127.0.0.1", "-p", "\(port)"])
        }
        try await eventually {
            guard self.program.isRunning else { throw ChildProgram.Failure(description: "\(path) has ended") }
            return (try? HTTPConnection(port: port)) != nil
        }
        guard kind == .moto else { return }
        let connection = try HTTPConnection(port: port)
        try connection.send("PUT", "/\(Self.bucket)", headers: ["Content-Length": "0"])
        let answer = try await connection.answer()
        guard answer.status == 200 else {
            throw ChildProgram.Failure(description: "moto made no bucket: \(answer.status) \(answer.text)")
        }
    }

    /// Pauses or resumes the server (`SIGSTOP`, `SIGCONT`).
    public func signal(_ number: Int32) {
        self.program.signal(number)
    }

    deinit {
        self.program.signal(SIGKILL)
    }
}

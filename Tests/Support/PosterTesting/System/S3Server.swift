import Foundation

/// A real S3 server of this machine with an empty bucket, ended with this object.
///
/// `make store-deps` installs them; without them tests are skipped.
public final class S3Server: Sendable {
    /// Which one.
    public enum Kind: String, CaseIterable, Sendable {
        /// `rclone serve s3` checks signatures, sends ranges under a 200, and ignores `If-None-Match`.
        case rclone
        /// `moto_server` honours `If-None-Match`, and does not check signatures.
        case moto

        private var name: String { self == .rclone ? "rclone" : "moto_server" }

        /// Where the program is: what `ONESHEET_RCLONE` or `ONESHEET_MOTO_SERVER` says, else in the environment that
        /// `make store-deps` makes; nil when it is not there.
        public var program: String? {
            let variable = "ONESHEET_" + self.name.uppercased()
            let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")
            let own = package.appending(path: ".build/object-stores/bin/\(self.name)").standardizedFileURL.path
            let paths = [ProcessInfo.processInfo.environment[variable] ?? own]
            return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        /// Why a test is skipped without it.
        public var absence: String { "there is no \(self.name); 'make store-deps' installs it" }
    }

    /// Accepted by both.
    public static let accessKeyID = "ONESHEETTEST"
    /// Accepted by both.
    public static let secretAccessKey = "secret-of-the-tests"
    /// The bucket that there is.
    public static let bucket = "posters"

    /// The port on 127.0.0.1.
    public let port: Int
    private let program: ChildProgram
    private let folder = TemporaryFolder()

    /// The server's base URL.
    public var endpoint: String { "http://127.0.0.1:\(self.port)" }

    /// Starts it, and returns when it answers.
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
        try await eventually(within: .seconds(20)) { (try? HTTPConnection(port: port)) != nil }
        guard kind == .moto else { return }
        let connection = try HTTPConnection(port: port)
        try connection.send("PUT", "/\(Self.bucket)", headers: ["Content-Length": "0"])
        let answer = try await connection.answer()
        guard answer.status == 200 else {
            throw ChildProgram.Failure(description: "moto made no bucket: \(answer.status) \(answer.text)")
        }
    }

    /// Holds the server up, or lets it go on (`SIGSTOP`, `SIGCONT`).
    public func signal(_ number: Int32) {
        self.program.signal(number)
    }

    deinit {
        self.program.signal(SIGKILL)
    }
}

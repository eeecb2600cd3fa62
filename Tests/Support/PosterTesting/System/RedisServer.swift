import FoundationEssentials
import Glibc
import Synchronization

/// A local Redis server with an empty database and without snapshots. It ends with this object.
public final class RedisServer: Sendable {
    /// The settings of a server.
    public struct Settings: Sendable {
        /// The password; `nil` if there is none.
        public var password: String?
        /// The memory limit, such as `10mb`. Nothing is evicted: at the limit, writes fail.
        public var maxMemory: String?
        /// Serves only TLS, with this certificate.
        public var certificate: TestCertificate?
        /// Additional arguments.
        public var arguments: [String] = []

        /// Settings without a password and without limits.
        public init() {}
    }

    /// The path of the program: `ONESHEET_REDIS_SERVER`, or in the system's folders; `nil` if it does not exist.
    public static let program: String? = {
        let own = getenv("ONESHEET_REDIS_SERVER").map { String(cString: $0) }
        return (own.map { [$0] } ?? ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]).first { path in
            access(path, X_OK) == 0
        }
    }()

    /// Whether Redis is installed.
    public static var isAvailable: Bool { Self.program != nil }

    /// The reason for skipping tests without Redis.
    public static let absence = "there is no redis-server; Debian's package redis-server has it"

    /// The port on 127.0.0.1; it does not change at a restart.
    public let port: Int
    private let program: Mutex<ChildProgram?> = Mutex(nil)
    private let folder = TemporaryFolder()

    /// Starts the server and returns once it responds.
    ///
    /// - Throws: ``ChildProgram/Failure``, ``EventuallyTimeout``.
    public init(_ settings: Settings = Settings()) async throws {
        self.port = try FreePort.find()
        try await self.start(settings)
    }

    deinit {
        self.program.withLock { $0?.signal(SIGKILL) }
    }

    /// Kills a running server, starts an empty one, and returns once it responds.
    ///
    /// - Throws: ``ChildProgram/Failure``, ``EventuallyTimeout``.
    public func start(_ settings: Settings = Settings()) async throws {
        self.kill()
        guard let path = Self.program else { throw ChildProgram.Failure(description: Self.absence) }
        var arguments = [
            "--bind", "127.0.0.1", "--dir", self.folder.path, "--save", "", "--appendonly", "no", "--daemonize", "no",
            "--protected-mode", "no",
        ]
        if let certificate = settings.certificate {
            arguments += [
                "--port", "0", "--tls-port", "\(self.port)", "--tls-cert-file", certificate.certificatePath,
                "--tls-key-file", certificate.keyPath, "--tls-auth-clients", "no",
            ]
        } else {
            arguments += ["--port", "\(self.port)"]
        }
        if let password = settings.password { arguments += ["--requirepass", password] }
        if let limit = settings.maxMemory {
            arguments += ["--maxmemory", limit, "--maxmemory-policy", "noeviction"]
        }
        let program = try ChildProgram(path, arguments + settings.arguments)
        self.program.withLock { $0 = program }
        try await eventually {
            guard program.isRunning else { throw ChildProgram.Failure(description: "redis-server has ended") }
            return (try? HTTPConnection(port: self.port)) != nil
        }
    }

    /// Kills the server (`SIGKILL`) and waits until it has ended.
    public func kill() {
        let program = self.program.withLock { program in
            defer { program = nil }
            return program
        }
        program?.signal(SIGKILL)
        _ = program?.wait()
    }

    /// Pauses or resumes the server (`SIGSTOP`, `SIGCONT`).
    public func signal(_ number: Int32) {
        self.program.withLock { $0?.signal(number) }
    }
}

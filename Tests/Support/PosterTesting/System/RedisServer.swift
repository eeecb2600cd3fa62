import FoundationEssentials
import Glibc
import Synchronization

/// A real Redis server of this machine with an empty database and no snapshots, ended with this object.
public final class RedisServer: Sendable {
    /// What a server is started with.
    public struct Settings: Sendable {
        /// nil for none.
        public var password: String?
        /// As `10mb`; with it nothing is evicted, and writes fail when it is reached.
        public var maxMemory: String?
        /// Serves TLS, and nothing else, with this certificate.
        public var certificate: TestCertificate?
        /// Further arguments.
        public var arguments: [String] = []

        /// Neither password nor limits.
        public init() {}
    }

    /// Where the program is: what `ONESHEET_REDIS_SERVER` says, else in the system's folders; nil when it is not there.
    public static let program: String? = {
        let own = getenv("ONESHEET_REDIS_SERVER").map { String(cString: $0) }
        return (own.map { [$0] } ?? ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]).first { path in
            access(path, X_OK) == 0
        }
    }()

    /// Whether there can be any.
    public static var isAvailable: Bool { Self.program != nil }

    /// Why a test is skipped without it.
    public static let absence = "there is no redis-server; Debian's package redis-server has it"

    /// The port on 127.0.0.1, the same after each start.
    public let port: Int
    private let program: Mutex<ChildProgram?> = Mutex(nil)
    private let folder = TemporaryFolder()

    /// Starts it, and returns when it answers.
    ///
    /// - Throws: ``ChildProgram/Failure``, ``EventuallyTimeout``.
    public init(_ settings: Settings = Settings()) async throws {
        self.port = try FreePort.find()
        try await self.start(settings)
    }

    deinit {
        self.program.withLock { $0?.signal(SIGKILL) }
    }

    /// Ends it at once (`SIGKILL`), if it runs, and starts it again, empty; returns when it answers.
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
        try await eventually(within: .seconds(20)) {
            guard program.isRunning else { throw ChildProgram.Failure(description: "redis-server has ended") }
            return (try? HTTPConnection(port: self.port)) != nil
        }
    }

    /// Ends it at once (`SIGKILL`), and returns when it has ended.
    public func kill() {
        let program = self.program.withLock { program in
            defer { program = nil }
            return program
        }
        program?.signal(SIGKILL)
        _ = program?.wait()
    }

    /// Holds the server up, or lets it go on (`SIGSTOP`, `SIGCONT`).
    public func signal(_ number: Int32) {
        self.program.withLock { $0?.signal(number) }
    }
}

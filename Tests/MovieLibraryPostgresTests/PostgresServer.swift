import Flights
import FoundationEssentials
import Glibc
import Logging
import MovieDomain
import MovieLibrary
import PosterTesting
import Synchronization

@testable import MovieLibraryPostgres

/// A server of PostgreSQL 15 at a socket in a temporary folder, with a database for each test; ended with this object.
final class PostgresServer: Sendable {
    private static let programs = "/usr/lib/postgresql/15/bin"
    /// The system's user for it: it does not run as root.
    private static let user = "postgres"

    /// Whether it is installed; its tests are skipped without it.
    static let isAvailable =
        access("\(PostgresServer.programs)/initdb", X_OK) == 0
        && (geteuid() != 0 || getpwnam(PostgresServer.user) != nil)

    /// One for the tests that leave it as it is: it takes seconds to make.
    static let shared: Result<PostgresServer, any Error> = Result {
        atexit { try? PostgresServer.shared.get().stop() }
        return try PostgresServer()
    }

    struct Failure: Error {
        let program: String
        let status: Int32
    }

    private let folder: String
    private let server: Mutex<ChildProgram?>
    private let databaseCount = Atomic<Int>(0)

    /// Made on a thread of its own, because that takes seconds.
    static func make() async throws -> PostgresServer { try await onOwnThread { try PostgresServer() } }

    private init() throws {
        // Short: the path of a socket has at most 107 bytes.
        let folder = "/tmp/onesheet-pg-\(UUID().uuidString.prefix(8))"
        guard mkdir(folder, 0o777) == 0, chmod(folder, 0o777) == 0 else {
            throw Failure(program: "mkdir", status: errno)
        }
        self.folder = folder
        self.server = Mutex(nil)
        let status = try Self.start(
            "initdb",
            ["-D", "\(folder)/data", "-A", "trust", "-U", "onesheet", "-E", "UTF8", "--locale=C", "--no-sync"]
        ).wait()
        guard status == 0 else { throw Failure(program: "initdb", status: status) }
        try self.start()
    }

    deinit { self.stop() }

    private static func start(_ program: String, _ arguments: [String]) throws -> ChildProgram {
        let path = "\(Self.programs)/\(program)"
        guard geteuid() == 0 else { return try ChildProgram(path, arguments) }
        return try ChildProgram(
            "/usr/bin/setpriv", ["--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups", path] + arguments)
    }

    /// Starts the server, which accepts connections a little later.
    func start() throws {
        let program = try Self.start(
            "postgres",
            [
                "-D", "\(self.folder)/data", "-k", self.folder, "-c", "listen_addresses=", "-c", "fsync=off",
                "-c", "max_connections=200", "-c", "logging_collector=off",
            ])
        self.server.withLock { $0 = program }
    }

    /// Ends the server as if it had crashed; all connections end.
    func crash() {
        self.server.withLock { server in
            server?.signal(SIGQUIT)
            _ = server?.wait()
            server = nil
        }
    }

    func stop() {
        self.crash()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    func signal(_ number: Int32) { self.server.withLock { $0?.signal(number) } }

    /// The address of a database of it.
    func url(_ database: String) -> String { "postgres:///\(database)?host=\(self.folder)&user=onesheet" }

    /// Returns once the server accepts connections.
    func accepts() async throws {
        try await eventually {
            (try? PostgresConnection(url: self.url("postgres"), deadline: Self.soon)) != nil
        }
    }

    /// A new, empty database.
    func database() async throws -> String {
        try await self.accepts()
        let name = "test\(self.databaseCount.add(1, ordering: .relaxed).newValue)"
        try self.execute("CREATE DATABASE \(name)", in: "postgres")
        return name
    }

    /// Executes SQL on a connection of its own.
    @discardableResult
    func execute(_ sql: String, in database: String) throws -> PostgresResult? {
        let connection = try PostgresConnection(url: self.url(database), deadline: Self.soon)
        if sql.hasPrefix("SELECT") { return try connection.execute(sql) }
        try connection.executeScript(sql)
        return nil
    }

    static var soon: UInt64 { Uptime.nanoseconds() + 30_000_000_000 }
}

extension PostgresConnection {
    convenience init(url: String, deadline: UInt64) throws {
        try self.init(url: url, statementMilliseconds: 30_000, deadline: deadline)
    }
}

/// A database of the shared server, and libraries in it, each as of a node of its own.
struct PostgresFixture {
    let server: PostgresServer
    let database: String
    let log = LogRecorder()

    init(_ server: PostgresServer? = nil) async throws {
        let server = if let server { server } else { try await onOwnThread { try PostgresServer.shared.get() } }
        self.server = server
        self.database = try await server.database()
    }

    func node(_ limits: PostgresLimits = Self.patient) -> PostgresLibrary {
        PostgresLibrary(
            url: self.server.url(self.database), limits: limits, logger: self.log.logger(), metrics: PostgresMetrics())
    }

    /// For machines that are slow because of other tests.
    static let patient = {
        var limits = PostgresLimits()
        (limits.connectMilliseconds, limits.statementMilliseconds) = (30_000, 30_000)
        (limits.callMilliseconds, limits.patienceMilliseconds) = (30_000, 30_000)
        limits.shortPatienceMilliseconds = 30_000
        return limits
    }()

    func count(_ table: String) throws -> Int64? {
        try self.server.execute("SELECT count(*) FROM \(table)", in: self.database)?.integer
    }
}

import Foundation
import Synchronization

/// A local PostgreSQL 15 server in a temporary folder, with a Unix socket and a port. It ends with this object.
///
/// `make engine-deps` installs PostgreSQL; without it tests are skipped.
public final class PostgresServer: Sendable {
    private static let programs = "/usr/lib/postgresql/15/bin"
    /// The system user of the server, which does not run as root.
    private static let systemUser = "postgres"
    /// The user of all databases; it has no password unless ``requirePasswords(_:)`` was called.
    public static let user = "onesheet"

    /// Whether PostgreSQL is installed.
    public static let isAvailable =
        access("\(PostgresServer.programs)/initdb", X_OK) == 0
        && (geteuid() != 0 || getpwnam(PostgresServer.systemUser) != nil)
    /// The reason for skipping tests without PostgreSQL.
    public static let absence = "there is no PostgreSQL 15; 'make engine-deps' installs it"

    /// Shared by tests that leave the server unchanged, because creating one takes seconds.
    private static let shared: Result<PostgresServer, any Error> = Result {
        atexit { try? PostgresServer.shared.get().stop() }
        return try PostgresServer(certificate: nil, settings: [])
    }

    /// The port on 127.0.0.1.
    public let port: Int
    /// The folder of the socket.
    public let folder: String
    private let settings: [String]
    private let server = Mutex<ChildProgram?>(nil)
    private let databaseCount = Atomic<Int>(0)

    /// Returns the shared server, once it accepts connections.
    public static func common() async throws -> PostgresServer {
        let server = try await onOwnThread { try Self.shared.get() }
        try await server.accepts()
        return server
    }

    /// Returns a new server, once it accepts connections.
    /// - Parameters:
    ///   - certificate: Enables TLS.
    ///   - settings: Server settings, such as `max_connections=3`.
    public static func make(certificate: TestCertificate? = nil, settings: [String] = []) async throws -> PostgresServer
    {
        let server = try await onOwnThread { try PostgresServer(certificate: certificate, settings: settings) }
        try await server.accepts()
        return server
    }

    private init(certificate: TestCertificate?, settings: [String]) throws {
        self.port = try FreePort.find()
        // Short, because the path of a Unix socket is limited to 107 bytes.
        self.folder = "/tmp/onesheet-pg-\(UUID().uuidString.prefix(8))"
        let (certificatePath, keyPath) = (self.folder + "/certificate.pem", self.folder + "/key.pem")
        let tls = ["ssl=on", "ssl_cert_file=\(certificatePath)", "ssl_key_file=\(keyPath)"]
        self.settings = settings + (certificate == nil ? [] : tls)
        guard mkdir(self.folder, 0o777) == 0, chmod(self.folder, 0o777) == 0 else {
            throw ChildProgram.Failure(
                description: "\(self.folder) cannot be made: \(String(cString: strerror(errno)))")
        }
        if let certificate {
            try FileManager.default.copyItem(atPath: certificate.certificatePath, toPath: certificatePath)
            try FileManager.default.copyItem(atPath: certificate.keyPath, toPath: keyPath)
            // The server rejects a key file that others can read.
            chmod(keyPath, 0o600)
            if geteuid() == 0, let user = getpwnam(Self.systemUser) { chown(keyPath, user.pointee.pw_uid, 0) }
        }
        try self.makeDatabases()
        try self.start()
    }

    deinit { self.stop() }

    private func makeDatabases() throws {
        let status = try Self.start(
            "initdb",
            [
                "-D", "\(self.folder)/data", "-A", "trust", "-U", Self.user, "-E", "UTF8", "--locale=C", "--no-sync",
            ]
        ).wait()
        guard status == 0 else { throw ChildProgram.Failure(description: "initdb ended with status \(status)") }
    }

    private static func start(_ program: String, _ arguments: [String]) throws -> ChildProgram {
        let path = "\(Self.programs)/\(program)"
        guard geteuid() == 0 else { return try ChildProgram(path, arguments) }
        return try ChildProgram(
            "/usr/bin/setpriv",
            ["--reuid=\(Self.systemUser)", "--regid=\(Self.systemUser)", "--clear-groups", path] + arguments)
    }

    /// Starts the server; it accepts connections a little later.
    public func start() throws {
        let own = ["listen_addresses=127.0.0.1", "port=\(self.port)", "fsync=off", "max_connections=200"]
        let program = try Self.start(
            "postgres",
            ["-D", "\(self.folder)/data", "-k", self.folder] + (own + self.settings).flatMap { ["-c", $0] })
        self.server.withLock { $0 = program }
    }

    /// Simulates a crash; all connections end.
    public func crash() {
        self.server.withLock { server in
            guard let program = server else { return }
            Self.signal(SIGCONT, to: program)
            program.signal(SIGQUIT)
            _ = program.wait()
            server = nil
        }
    }

    /// Crashes the server, removes all databases, and returns once it accepts connections again.
    public func startEmpty() async throws {
        self.crash()
        try await onOwnThread {
            try FileManager.default.removeItem(atPath: self.folder + "/data")
            try self.makeDatabases()
            try self.start()
        }
        try await self.accepts()
    }

    /// Ends the server and removes its files.
    public func stop() {
        self.crash()
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    /// Pauses or resumes the server with all its connections (`SIGSTOP`, `SIGCONT`).
    public func signal(_ number: Int32) {
        self.server.withLock { server in
            if let server { Self.signal(number, to: server) }
        }
    }

    /// Signals the server and its child processes: each connection has its own.
    private static func signal(_ number: Int32, to server: ChildProgram) {
        let children = "/proc/\(server.identifier)/task/\(server.identifier)/children"
        let text = (try? String(contentsOfFile: children, encoding: .utf8)) ?? ""
        for child in text.split(separator: " ").compactMap({ Int32($0) }) { kill(child, number) }
        server.signal(number)
    }

    /// Sets whether clients at the socket need a password.
    public func requirePasswords(_ areRequired: Bool) throws {
        try Data("local all all \(areRequired ? "scram-sha-256" : "trust")\n".utf8).write(
            to: URL(filePath: self.folder + "/data/pg_hba.conf"))
        self.server.withLock { $0?.signal(SIGHUP) }
    }

    /// The URL of a database at the socket.
    public func url(_ database: String) -> String {
        "postgres:///\(database)?host=\(self.folder)&port=\(self.port)&user=\(Self.user)"
    }

    /// Returns once the server accepts connections.
    public func accepts() async throws {
        try await eventually { (try? await self.execute("SELECT 1", in: "postgres")) == "1" }
    }

    /// Creates an empty database.
    public func database() async throws -> String {
        let name = "test\(self.databaseCount.add(1, ordering: .relaxed).newValue)"
        try await self.execute("CREATE DATABASE \(name)", in: "postgres")
        return name
    }

    /// Executes SQL with `psql`, on a separate connection.
    /// - Returns: The values, one row per line.
    @discardableResult
    public func execute(_ sql: String, in database: String) async throws -> String {
        try await onOwnThread {
            let output = try OutputPipe()
            let program = try ChildProgram(
                "\(Self.programs)/psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", self.url(database), "-c", sql],
                output: output.descriptor)
            output.closeWriting()
            let text = String(decoding: output.readAll(), as: UTF8.self)
            let status = program.wait()
            guard status == 0 else {
                throw ChildProgram.Failure(description: "psql ended with status \(status): \(sql)")
            }
            return text.trimmingCharacters(in: .newlines)
        }
    }
}

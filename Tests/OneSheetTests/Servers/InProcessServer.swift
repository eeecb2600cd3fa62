import HTTPServer
import Logging
import PosterOrigins
import PosterTesting
import PrometheusMetrics
import ServiceTesting
import Synchronization

@testable import OneSheetConfiguration
@testable import OneSheetServer

/// `serve` in this process, over real sockets: a start takes a tenth of the CPU time of a debug program's.
///
/// It has no signals and no standard output, and decodes on threads. Re-encoding is off unless `--reencode` is given:
/// it would compete with other tests at their priority.
final class InProcessServer: TestServer {
    private static let options = ["--port", "0", "--isolation", "thread", "--reencode", "off"]

    let port: Int
    private let lines: Lines
    private let stopping: Stopping
    private let service: Task<Void, any Error>

    /// Returns once the server accepts connections and commands.
    init(
        dataDirectory: String, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws {
        try DataDirectory.create(dataDirectory)
        try SharedCatalogue.copyLibrary(to: dataDirectory)
        let given = try ServeArguments.given(Self.options + ["--data-dir", dataDirectory] + arguments)
        let source = ConfigurationSource(commandLine: given, environment: environment)
        let (settings, configuration) = try source.read()
        let lines = Lines()
        let threshold = ReloadableLogLevel(configuration.logLevel)
        let logger = Logger(label: "onesheet") { label in
            ServiceLogHandler(label: label, format: configuration.logFormat, threshold: threshold, write: lines.add)
        }
        let server = PosterServer(configuration: configuration, settings: settings, source: source, logger: logger)
        let stopping = Stopping()
        let (ports, started) = AsyncStream.makeStream(of: Int.self)
        let service = Task {
            defer { started.finish() }
            try await server.serve(PrometheusRegistry(descriptions: MetricDescription.all)) { places, _ in
                if case .port(_, let port) = places[0].socket { started.yield(port) }
            } handles: { stop, _ in
                stopping.set(stop)
                return stopping
            }
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await service.value
            throw HTTPConnection.Failure.notServing
        }
        try await eventually {
            (try? ControlSocket.serverProcess(in: dataDirectory)) != nil || lines.text.contains("Commands cannot reach")
        }
        (self.port, self.lines, self.stopping, self.service) = (port, lines, stopping, service)
    }

    deinit {
        self.service.cancel()
    }

    var errors: String { self.lines.text }

    /// - Returns: 0 if the server ended without an error.
    func stop() async -> Int32 {
        self.stopping.stop()
        return await self.ended()
    }

    func kill() async {
        self.service.cancel()
        _ = await self.ended()
    }

    private func ended() async -> Int32 {
        do {
            try await self.service.value
            return 0
        } catch {
            return 1
        }
    }

    private final class Lines: Sendable {
        private let lines = Mutex("")

        var text: String { self.lines.withLock(\.self) }

        @Sendable func add(_ line: String) {
            self.lines.withLock { $0 += line }
        }
    }

    /// The closure that stops the server; set before it accepts connections.
    private final class Stopping: Sendable {
        private let action = Mutex<(@Sendable () -> Void)?>(nil)

        func set(_ action: @escaping @Sendable () -> Void) {
            self.action.withLock { $0 = action }
        }

        func stop() {
            self.action.withLock(\.self)?()
        }
    }
}

package import HTTPFetch
package import HTTPServer
import Logging
import OneSheetConfiguration
import OneSheetServer
import PosterAPI
import PosterOrigins
package import PosterPipeline
package import PosterTesting
import PrometheusMetrics

/// The service on an ephemeral port, with its own data directory, and the same composition as `onesheet serve`. It has
/// no background services, control socket or reload; for these see `InProcessServer` (OneSheetTests).
package final class LiveServer: Sendable {
    package let port: Int
    package let folder: TemporaryFolder
    package let sendBudget: SendBudget
    private let dependencies: ServerDependencies
    private let records: AwaitedState<[RequestRecord]>

    private init(
        port: Int, folder: TemporaryFolder, sendBudget: SendBudget, dependencies: ServerDependencies,
        records: AwaitedState<[RequestRecord]>
    ) {
        self.port = port
        self.folder = folder
        self.sendBudget = sendBudget
        self.dependencies = dependencies
        self.records = records
    }

    package var pipeline: PosterPipeline { self.dependencies.pipeline }

    package var fetcher: Fetcher { self.dependencies.fetcher }

    package var codec: BoundedThreadPool { self.dependencies.codecThreads }

    /// The files of stored originals.
    package var storedFiles: [String] { self.folder.files.filter { $0.hasSuffix(".original") } }

    /// The files that are being written.
    package var halfWrittenFiles: [String] { self.folder.files.filter { $0.contains("incoming/") } }

    /// The records of completed requests, in order.
    package var requests: [RequestRecord] { self.records.value }

    /// Returns once a condition holds for the records; by default once a request has completed.
    ///
    /// - Throws: `CancellationError`.
    package func requestsRecorded(
        where condition: @escaping @Sendable ([RequestRecord]) -> Bool = { !$0.isEmpty }
    ) async throws {
        try await self.records.wait(until: condition)
    }

    package func connect() throws -> HTTPConnection {
        try HTTPConnection(port: self.port)
    }

    /// Sends a request on a new connection.
    package func get(
        _ target: String, headers: [String: String] = [:], method: String = "GET"
    ) async throws -> HTTPConnection.Answer {
        try await self.connect().get(target, headers: headers, method: method)
    }

    /// The samples of `/metrics` by name and labels.
    package func metrics() async throws -> [String: Double] {
        let samples = try await self.get("/metrics").text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { line -> (String, Double)? in
                guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                    return nil
                }
                return (String(line[..<space]), value)
            }
        return Dictionary(samples) { first, _ in first }
    }

    /// Runs the service during `body`.
    package static func run(
        origin: OriginServer, fetch: FetchConfiguration?, _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        var settings = Settings()
        if let fetch { settings.fetch = fetch }
        try await self.run(origin: origin, settings, body)
    }

    /// Runs the service during `body`, with access to origins on loopback.
    package static func run(
        origin: OriginServer, _ settings: Settings = Settings(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        var settings = settings
        settings.fetch.allowPrivateAddresses = true
        try await self.runAsItIs(origin: origin, settings, body)
    }

    /// Runs the service during `body`, without access to origins on loopback by default.
    package static func runAsItIs(
        origin: OriginServer, _ settings: Settings, _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let configuration = try settings.configuration(origin: origin)
        let files = try settings.files()
        let overrides = try settings.overrides(configuration)
        let data = try DataDirectory(path: configuration.dataDirectory)
        defer { withExtendedLifetime(data) {} }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let registry = PrometheusRegistry(descriptions: MetricDescription.all)
        let dependencies = try ServerDependencies(
            configuration, data: data, logger: logger, metrics: registry, overrides: overrides)
        dependencies.variantStore.prepare()
        let records = AwaitedState<[RequestRecord]>([])
        let recorder = RequestRecorder(
            metrics: registry, hitRoutes: PictureRoute.routes, accessLog: settings.accessLog
        ) { record in
            records.change { $0.append(record) }
        }
        let frontend = try HTTPFrontend(
            configuration, dependencies, files: files,
            observation: HTTPFrontend.Observation(
                metrics: registry, page: MetricsPage(registry, version: ProductVersion.current), recorder: recorder),
            logger: logger)
        let sendBudget = frontend.sendBudget
        let (ports, started) = AsyncStream.makeStream(of: Int.self)
        let listeners = frontend.listeners(
            at: [ListenAddress(.port(host: "127.0.0.1", 0), isSecure: settings.tls != nil)],
            connections: configuration.maxConnections
        ) { places in
            if case .port(_, let port) = places[0].socket { started.yield(port) }
        }
        try await dependencies.closing {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { started.finish() }
                    try await listeners.run()
                }
                guard let port = await ports.first(where: { _ in true }) else {
                    try await group.waitForAll()
                    return
                }
                try await body(
                    LiveServer(
                        port: port, folder: settings.folder, sendBudget: sendBudget, dependencies: dependencies,
                        records: records))
                group.cancelAll()
                do { try await group.waitForAll() } catch is CancellationError {}
            }
        }
    }
}

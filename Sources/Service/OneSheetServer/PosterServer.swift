import ClusterState
import CoreMetrics
import Flights
import FoundationEssentials
import Glibc
import HTTPServer
import Hummingbird
package import Logging
import MovieWeb
import NIOCore
import NIOPosix
package import OneSheetConfiguration
import PosterAPI
import PosterOrigins
import PosterPipeline
import PrometheusMetrics
import RedisClient
import ServiceLifecycle

/// The composition root of the service: creates all objects, connects ports with adapters, and runs the services.
package struct PosterServer {
    private static let operationsConnections = 64
    /// The maximum number of unknown variables that are logged.
    package static let namedVariables = 16

    let configuration: ServeConfiguration
    let settings: Settings
    let source: ConfigurationSource
    let logger: Logger

    package init(
        configuration: ServeConfiguration, settings: Settings, source: ConfigurationSource, logger: Logger
    ) {
        self.configuration = configuration
        self.settings = settings
        self.source = source
        self.logger = logger
    }

    /// Serves until the process receives a stop signal.
    /// - Throws: An error with a description for the operator.
    package func run() async throws {
        let registry = PrometheusRegistry(descriptions: MetricDescription.all)
        // For packages that use the global factory; the service's own types receive it as a parameter.
        MetricsSystem.bootstrap(registry)
        let notifier = SystemdNotifier(environment: ProcessInfo.processInfo.environment)
        try await self.serve(registry, watchdog: notifier.flatMap(BackgroundService.watchdog)) { places, directory in
            let message = StartMessage(places: places, directory: directory, self.configuration)
            // With a JSON access log every line of standard output is JSON.
            if self.configuration.accessLog == .json {
                self.logger.notice("\(message.text(isLinked: false))")
            } else {
                let isLinked = StartMessage.showsLinks(
                    isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment)
                print(message.text(isLinked: isLinked))
                fflush(nil)
            }
            notifier?.send([.ready, .status("Serves \(places.map(\.description).joined(separator: ", "))")])
        } handles: { stop, reload in
            let signals = StopSignals { _ in
                notifier?.send([.stopping, .status("Completing requests in progress")])
                stop()
            }
            let reloading = ReloadSignal {
                notifier?.send([.reloading(microseconds: Uptime.nanoseconds() / 1000)])
                reload()
                notifier?.send([.ready])
            }
            return (signals, reloading)
        }
    }

    /// Serves until `stop` is called; uses no process-wide state.
    /// - Parameters:
    ///   - watchdog: Runs beside the services.
    ///   - whenServing: Called with the addresses, including the ports that the system chose, and the data directory's
    ///     path.
    ///   - handles: Receives closures that stop gracefully and reload the configuration; its result is retained while
    ///     serving.
    func serve(
        _ registry: PrometheusRegistry, watchdog: (any Service)? = nil,
        whenServing: @escaping @Sendable ([ListenAddress], String) -> Void,
        handles: (_ stop: @escaping @Sendable () -> Void, _ reload: @escaping @Sendable () -> Void) -> Any
    ) async throws {
        let configuration = self.configuration
        self.warnOfUnknownVariables()
        let connections = try self.connectionLimit()
        let policy = try configuration.policy()
        self.warn(ifPublic: policy.signingKeys?.isPublic, "the signing keys", in: configuration.pictures.signKeyFile)
        let policies = ReloadablePicturePolicy(policy, languages: configuration.posterLanguages)
        let data = try DataDirectory(path: configuration.dataDirectory)
        let dependencies = try ServerDependencies(configuration, data: data, logger: self.logger, metrics: registry)
        let lines = try configuration.accessLog.map { _ in try LineWriter(descriptor: STDOUT_FILENO) }
        let recorder = RequestRecorder(
            metrics: registry, hitRoutes: PictureRoute.routes,
            accessLog: configuration.accessLog.flatMap { format in lines.map { AccessLog(format, writer: $0) } })
        let observation = HTTPFrontend.Observation(
            metrics: registry, page: MetricsPage(registry, accessLog: lines, version: ProductVersion.current),
            recorder: recorder, log: ServeConfiguration.recentLog)
        let token = try configuration.adminToken()
        self.warn(ifPublic: token?.isPublic, "the admin token", in: configuration.adminTokenFile)
        self.warn(
            ifPublic: try configuration.redis?.checkFiles(), "the password of Redis",
            in: configuration.redis?.client.passwordFile)
        dependencies.variantStore.prepare()
        // Before requests are accepted.
        dependencies.events?.begin()
        let credentials = try configuration.tlsCredentials()
        let relief = MemoryPressure.service(dependencies.planes, limit: MemoryLimit.current(), logger: self.logger)
        let watch: (any Service)? = credentials.map { CertificateReloader($0, logger: self.logger) }
        let listeners = try await self.listeners(
            dependencies, policies: policies, token: token, credentials: credentials, connections: connections,
            observation, whenServing: { [directory = data.path] in whenServing($0, directory) })
        let node = NodeStatus(
            name: configuration.nodes.name, instance: dependencies.events?.instance ?? "",
            address: try configuration.address(), status: { dependencies.status })
        var commands = ControlHandler(dependencies: dependencies, policies: policies)
        commands.node = node
        let control = ControlServer(
            directory: data.path, logger: self.logger, now: Uptime.nanoseconds, handler: commands.handle)
        // Services stop from the last to the first: listeners stop before the services that their requests wait for.
        var settings = ServiceGroupConfiguration(
            services: [BackgroundService(work: dependencies.store.run), dependencies.movies.maintenance, control]
                + dependencies.nodeServices(node)
                + [
                    watch, relief, dependencies.movies.libraryWatch, watchdog,
                ].compactMap(\.self) + listeners,
            logger: self.logger)
        settings.maximumGracefulShutdownDuration = configuration.deadlines.stop
        let group = ServiceGroup(configuration: settings)
        let reload = self.makeReload(dependencies, policies: policies, token: token, credentials: credentials)
        let handlers = handles(
            {
                dependencies.stopBackgroundWork()
                Task { await group.triggerGracefulShutdown() }
            }, reload.run)
        defer {
            lines?.close()
            withExtendedLifetime((handlers, data)) {}  // the data directory is locked to the end
        }
        try await dependencies.closing {
            do {
                try await group.run()
            } catch is CancellationError {
                // A service did not finish in time.
            }
        }
    }

    private func listeners(
        _ dependencies: ServerDependencies, policies: ReloadablePicturePolicy, token: AdminToken?,
        credentials: TLSCredentials?, connections: Int, _ observation: HTTPFrontend.Observation,
        whenServing: @escaping @Sendable ([ListenAddress]) -> Void
    ) async throws -> [HTTPListeners] {
        let configuration = self.configuration
        let inherited = try InheritedSockets(
            environment: ProcessInfo.processInfo.environment, processID: getpid())
        try inherited.claim()
        let places = try configuration.listening.places(inherited)
        let frontend = try HTTPFrontend(
            configuration, dependencies,
            files: HTTPFrontend.Files(
                policies: policies, token: token, credentials: credentials,
                web: try configuration.servesWeb ? WebFiles() : nil,
                compatibility: try configuration.compatibility.resources()),
            observation: observation, logger: self.logger)
        let main = frontend.listeners(at: places, connections: connections, whenListening: whenServing)
        return (self.operations(frontend.status, observation).map { [$0] } ?? []) + [main]
    }

    /// The listener of the operations port; clients of the main ports cannot exhaust its connections.
    /// - Returns: `nil` without such a port.
    private func operations(
        _ status: @escaping @Sendable () -> ServiceStatus, _ observation: HTTPFrontend.Observation
    ) -> HTTPListeners? {
        guard let port = self.configuration.listening.operationsPort else { return nil }
        let router = PosterRouter.operations(
            status: status, metrics: observation.page, recorder: observation.recorder)
        let edge = ConnectionServer(
            responder: ChannelResponder.make(
                router.buildResponder(), serverName: HTTPFrontend.serverName, logger: self.logger),
            limits: ConnectionDeadlines.Limits(head: TimeAmount(self.configuration.deadlines.header)),
            idleTimeout: TimeAmount(self.configuration.deadlines.idle), serverName: HTTPFrontend.serverName,
            recorder: observation.recorder)
        let logger = self.logger
        // Its connections are not counted in the metrics.
        return HTTPListeners(
            places: [ListenAddress(.port(host: self.configuration.listening.host, port))], connections: edge,
            bounds: ConnectionLimiter.Bounds(Self.operationsConnections), metrics: NOOPMetricsHandler.instance,
            logger: logger
        ) { places in
            logger.notice("Health and metrics are also served at \(places.map(\.description).joined(separator: ", "))")
        }
    }

    /// The configured limit, or less if the process may not have enough descriptors.
    private func connectionLimit() throws -> Int {
        let limit = DescriptorLimit.raise()
        let wanted = self.configuration.maxConnections
        let connections = try limit.connections(wanted: wanted, openOriginals: self.configuration.openOriginals)
        if connections < wanted {
            self.logger.warning(
                "Fewer connections are accepted than configured: the file descriptor limit is too low",
                metadata: [
                    "connections": "\(connections)", "configured": "\(wanted)", "descriptors": "\(limit.current)",
                ])
        }
        return connections
    }

    /// Logs variables that match no option: a misspelled one would be ignored silently.
    private func warnOfUnknownVariables() {
        let unknown = self.settings.unknownVariables(known: Set(SettingDescription.all.map(\.name)))
        for (name, nearest) in unknown.prefix(Self.namedVariables) {
            var metadata: Logger.Metadata = ["variable": "\(name)"]
            metadata["nearest"] = nearest.map { "\($0)" }
            self.logger.warning("No option has this environment variable", metadata: metadata)
        }
    }

    private func warn(ifPublic isPublic: Bool?, _ content: String, in path: String?) {
        guard isPublic == true else { return }
        self.logger.warning(
            "Every user of this machine can read \(content)", metadata: ["path": "\(path ?? "")"])
    }
}

extension PosterServer {
    func makeReload(
        _ dependencies: ServerDependencies, policies: ReloadablePicturePolicy, token: AdminToken?,
        credentials: TLSCredentials?
    ) -> Reload {
        Reload(self.settings, source: self.source, logger: self.logger) { part in
            switch part {
            case .logLevel:
                { configuration in { ServeConfiguration.logThreshold.level = configuration.logLevel } }
            case .origins:
                { configuration in { dependencies.replaceOrigins(configuration.origins, configuration.credentials) } }
            case .adminToken: Self.exchanging(token)
            case .certificate: { _ in try credentials?.preparedRenewal() }
            case .pictures:
                { configuration in
                    var policy = try configuration.policy()
                    // Their URLs are read at the start only.
                    policy.servesTMDBImages = policies.policy.servesTMDBImages
                    policy.servesVideoThumbnails = policies.policy.servesVideoThumbnails
                    return { [policy] in policies.replace(policy) }
                }
            }
        }
    }

    /// Replaces the token; routes are neither added nor removed while the server runs.
    private static func exchanging(_ token: AdminToken?) -> Reload.Preparation {
        { configuration in
            guard let token, let new = try configuration.adminToken() else { return nil }
            return { token.replace(with: new) }
        }
    }
}

extension ServeConfiguration {
    /// The node's address for operators of other nodes: its public URL, or its listening addresses.
    fileprivate func address() throws -> String {
        if let publicURL { return publicURL.text }
        let inherited = try InheritedSockets(environment: ProcessInfo.processInfo.environment, processID: getpid())
        return try self.listening.places(inherited).map(\.description).joined(separator: ", ")
    }

    /// The minimum level of the process log; can change while the process runs. Default: notice
    fileprivate static let logThreshold = ReloadableLogLevel(.notice)

    /// The latest warnings and errors of the process log.
    fileprivate static let recentLog = RecentLog()

    /// Sets up the logging of the process; call it once.
    package func makeLogger() -> Logger {
        let format = self.logFormat
        Self.logThreshold.level = self.logLevel
        LoggingSystem.bootstrap {
            ServiceLogHandler(label: $0, format: format, threshold: Self.logThreshold, recent: Self.recentLog)
        }
        return Logger(label: "onesheet")
    }
}

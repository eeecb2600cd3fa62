package import CoreMetrics
package import HTTPServer
import Hummingbird
package import Logging
package import MovieCompatibility
package import MovieWeb
import NIOCore
package import OneSheetConfiguration
package import PosterAPI

/// The service's router, fast path and connections, created from its configuration and dependencies.
package struct HTTPFrontend {
    /// The contents of files that the configuration names.
    package struct Files {
        let policies: ReloadablePicturePolicy
        /// `nil` omits the admin routes.
        let token: AdminToken?
        /// `nil` without TLS.
        let credentials: TLSCredentials?
        /// `nil` omits the web pages about films.
        let web: WebFiles?
        /// The APIs in other services' formats, with their clients' keys.
        let compatibility: CompatibilityResources.Settings

        package init(
            policies: ReloadablePicturePolicy, token: AdminToken?, credentials: TLSCredentials?, web: WebFiles?,
            compatibility: CompatibilityResources.Settings
        ) {
            self.policies = policies
            self.token = token
            self.credentials = credentials
            self.web = web
            self.compatibility = compatibility
        }
    }

    /// The receivers of metrics and of records of requests.
    package struct Observation {
        let metrics: any MetricsFactory
        let page: MetricsPage
        let recorder: RequestRecorder
        /// The latest warnings and errors, for the operator's page.
        let log: RecentLog

        package init(
            metrics: any MetricsFactory, page: MetricsPage, recorder: RequestRecorder, log: RecentLog = RecentLog()
        ) {
            self.metrics = metrics
            self.page = page
            self.recorder = recorder
            self.log = log
        }
    }

    static let serverName = "OneSheet"

    /// Accounts for unsent bytes of responses.
    package let sendBudget: SendBudget
    let status: @Sendable () -> ServiceStatus
    private let configuration: ServeConfiguration
    private let connections: ConnectionServer
    private let metrics: any MetricsFactory
    private let logger: Logger

    /// - Throws: An error that describes a missing or invalid file of the program.
    package init(
        _ configuration: ServeConfiguration, _ dependencies: ServerDependencies, files: Files,
        observation: Observation, logger: Logger
    ) throws {
        let deadlines = configuration.deadlines
        let hits = CacheHitHandler(
            pipeline: dependencies.pipeline, caching: configuration.caching, policies: files.policies,
            resolver: dependencies.movies.resolver, clients: configuration.clients, serverName: Self.serverName,
            idleTimeout: TimeAmount(deadlines.idle), recorder: observation.recorder)
        let status: @Sendable () -> ServiceStatus = {
            var status = dependencies.status
            status.targets = hits.usage
            return status
        }
        var router = PosterRouter(pipeline: dependencies.pipeline)
        router.films = dependencies.movieServices
        router.web = files.web
        router.compatibility = files.compatibility
        router.rpdb = (
            configuration.compatibility.rpdb, BadgeSource.usual(Set(configuration.sources.keys.keys))
        )
        router.documents = dependencies.documents
        router.caching = configuration.caching
        router.resolver = dependencies.movies.resolver
        router.requestedTitles = dependencies.movies.requestedTitles
        router.policies = files.policies
        router.links = PosterURLBuilder(publicURL: configuration.publicURL)
        router.prefetching = files.token.map { (dependencies.warmer, $0) }
        router.administration = ServiceAdministration(
            dependencies: dependencies, policies: files.policies, name: configuration.nodes.name, status: status,
            log: observation.log)
        router.clients = configuration.clients
        router.compresses = configuration.compresses
        router.status = status
        router.metrics = observation.page
        router.recorder = observation.recorder
        let sendBudget = SendBudget(limit: configuration.sendMemoryBudget, metrics: observation.metrics)
        self.connections = ConnectionServer(
            responder: ChannelResponder.make(
                try router.make().buildResponder(), serverName: Self.serverName, logger: logger),
            limits: ConnectionDeadlines.Limits(
                head: TimeAmount(deadlines.header), body: TimeAmount(deadlines.send), send: TimeAmount(deadlines.send)),
            idleTimeout: TimeAmount(deadlines.idle), credentials: files.credentials, sendBudget: sendBudget,
            serverName: Self.serverName, recorder: observation.recorder,
            handlers: { [CacheHitHandler.Installer(hits)] })
        self.sendBudget = sendBudget
        self.status = status
        self.configuration = configuration
        self.metrics = observation.metrics
        self.logger = logger
    }

    /// - Parameters:
    ///   - places: The addresses to listen on.
    ///   - connections: Maximum number of open connections.
    ///   - whenListening: Called with the addresses, including the ports that the system chose.
    package func listeners(
        at places: [ListenAddress], connections: Int, whenListening: @escaping @Sendable ([ListenAddress]) -> Void
    ) -> HTTPListeners {
        HTTPListeners(
            places: places, connections: self.connections,
            bounds: ConnectionLimiter.Bounds(
                connections, perAddress: self.configuration.connectionsPerAddress,
                proxies: self.configuration.clients.proxies),
            metrics: self.metrics, logger: self.logger, whenListening: whenListening)
    }
}

import ClusterState
package import CodecWorkers
import CoreMetrics
import EmbeddedCatalogue
import Flights
package import HTTPFetch
package import HTTPServer
import Hummingbird
import Logging
import MovieAPI
package import MovieCompatibility
import MovieDomain
package import MovieHTTP
import MovieLibrary
import MovieLibraryPostgres
import MovieWeb
package import ObjectStorage
import OneSheetConfiguration
import OneSheetServer
package import PosterAPI
package import PosterCodec
package import PosterOrigins
package import PosterPipeline
package import PosterTesting
import PrometheusMetrics
package import RedisClient

/// The complete service on an ephemeral port, with its own data directory.
package final class LiveServer: Sendable {
    package let port: Int
    package let pipeline: PosterPipeline
    package let folder: TemporaryFolder
    package let fetcher: Fetcher
    package let codec: BoundedThreadPool
    package let sendBudget: SendBudget
    private let records: AwaitedState<[RequestRecord]>

    private init(
        port: Int, pipeline: PosterPipeline, folder: TemporaryFolder, fetcher: Fetcher, codec: BoundedThreadPool,
        sendBudget: SendBudget, records: AwaitedState<[RequestRecord]>
    ) {
        self.records = records
        self.sendBudget = sendBudget
        self.port = port
        self.pipeline = pipeline
        self.folder = folder
        self.fetcher = fetcher
        self.codec = codec
    }

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

    /// The service's settings in a test.
    package struct Settings: Sendable {
        package var fetch = FetchConfiguration()
        package var policies = PosterPipeline.Policies()
        package var limits = CodecLimits()
        package var disk = DiskOriginalStore.Configuration()
        /// Disabled by default.
        package var variantDisk = DiskVariantStore.Configuration(byteBudget: 0)
        /// The data directory; a new folder by default.
        package var folder = TemporaryFolder()
        /// `nil` without an object store behind the disk; nothing is uploaded to it.
        package var objectStore: S3Client.Configuration?
        /// The status reported for a library database; the database itself does not exist, but its metrics do.
        package var library: ServiceStatus.Library?
        /// The status reported for node events; there are no other nodes.
        package var eventStatus: ServiceStatus.Events?
        /// Receives events of originals; `nil` without other nodes.
        package var events: (any OriginalEventPublisher)?
        /// Decides whether image requests are answered; `nil` answers all.
        package var gate: EventGate?
        /// `nil` without a shared Redis server; no connection is made.
        package var redis: RedisConfiguration?
        package var deadlines = ConnectionDeadlines.Limits()
        package var credentials = OriginCredentials()
        package var codecThreads = 2
        /// `nil` decodes on threads.
        package var workers: CodecWorkerPool?
        package var quarantine: Quarantine?
        package var codecQueue = 1000
        package var token: AdminToken?
        package var clients = ClientPolicy()
        package var pictures = ReloadablePicturePolicy()
        /// `nil` serves plain HTTP.
        package var tls: TLSCredentials?
        /// Limit of unsent response bytes.
        package var sendBudget = SendBudget.defaultLimit
        /// Cost limit of variants in memory, in bytes.
        package var variantBudget = 64 << 20
        package var caching = ClientCaching()
        package var links = PosterURLBuilder()
        /// `nil` disables the movie API.
        package var films: MovieServices?
        /// The APIs in other services' formats; `documents` are the responses of those services.
        package var compatibility = CompatibilityResources.Settings(apis: [])
        package var documents = CompatibleUpstreams()
        package var web = false
        package var variantsPerPoster = VariantCache.defaultLimitPerPoster
        package var accessLog: AccessLog?
        /// The clock for freshness, in seconds since 1970.
        package var secondsSince1970: @Sendable () -> Int64 = { 0 }
        /// The clock of the negative cache, in nanoseconds.
        package var now: @Sendable () -> UInt64 = Uptime.nanoseconds

        package init() {}
    }

    /// The website's files, parsed once.
    private static let files = Result { try WebFiles() }

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
        let folder = settings.folder
        let data = try DataDirectory(path: folder.path)
        let (resource, movies) = (try SharedCatalogue.resource, try SharedCatalogue.films)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let registry = PrometheusRegistry(descriptions: MetricDescription.all)
        if settings.library?.server != nil { _ = PostgresMetrics(metrics: registry) }
        let originWaits = Timer(label: "onesheet.origin.wait", factory: registry)
        let fetcher = try Fetcher(configuration: settings.fetch) { originWaits.recordNanoseconds($0) }
        defer { fetcher.shutdown() }
        let disk = BoundedThreadPool(count: 2, queueLimit: 1000)
        let queueWaits = Timer(label: "onesheet.queue.wait", dimensions: [("queue", "codec")], factory: registry)
        let codec = BoundedThreadPool(
            count: settings.codecThreads, queueLimit: settings.codecQueue,
            whenAdmitted: { queueWaits.recordNanoseconds($0) })
        let verifier = OriginalVerifier(limits: settings.limits)
        let store = try DiskOriginalStore(
            in: data, configuration: settings.disk, verifier: verifier, threads: disk, logger: logger,
            secondsSince1970: settings.secondsSince1970)
        let variantStore = try DiskVariantStore(
            in: data, configuration: settings.variantDisk, threads: disk, logger: logger,
            secondsSince1970: settings.secondsSince1970)
        variantStore.prepare()
        let shared = try settings.objectStore.map { configuration in
            let keys = try S3Credentials(accessKeyID: "id", secretAccessKey: "secret")
            return try SharedOriginalStore(
                disk: store, in: data, client: S3Client(configuration, credentials: keys, metrics: registry),
                logger: logger, secondsSince1970: settings.secondsSince1970)
        }
        defer { shared?.close() }
        let redis = settings.redis.map { RedisClient($0, logger: logger, metrics: registry) }
        let redisVariants = redis.map { RedisVariantStore($0) }
        // Registers their metrics.
        let limits = redis.map { redis in
            SharedLimits(
                node: "a", redis: redis,
                clients: ClientRateLimiter(ClientRateLimiter.Limit(rate: 1), isShared: true, now: settings.now),
                now: { Instant(secondsSince1970: settings.secondsSince1970()) }, metrics: registry)
        }
        let leases = redis.map { RedisFetchLeases(redis: $0, whenStored: { _ in true }, metrics: registry) }
        defer { withExtendedLifetime((limits, leases)) {} }
        // Registers the metrics of commands, including errors.
        _ = try? await redis?.send(RedisCommand("PING"))
        let pipeline = PosterPipeline(
            originals: OriginalPorts(
                locator: LiveServerLocator(
                    embedded: movies, packagedPath: resource.path(of:),
                    template: try OriginTemplate(origin.baseURL + "/{+key}")),
                store: shared ?? store,
                source: OriginalFetcher(
                    fetcher: fetcher, threads: disk, verifier: verifier, credentials: settings.credentials,
                    metrics: registry),
                events: settings.events, gate: settings.gate),
            renderer: VariantRenderer(
                threads: codec, limits: settings.limits, workers: settings.workers, quarantine: settings.quarantine,
                now: Uptime.nanoseconds, metrics: registry),
            variants: VariantCache(byteBudget: settings.variantBudget, limitPerPoster: settings.variantsPerPoster),
            variantStore: settings.variantDisk.byteBudget > 0 ? variantStore : nil,
            policies: settings.policies,
            reencodingThreads: settings.policies.reencoding.map { _ in
                BoundedThreadPool(count: settings.codecThreads, queueLimit: settings.codecThreads)
            },
            environment: PipelineEnvironment(
                logger: logger, now: settings.now, secondsSince1970: settings.secondsSince1970, metrics: registry))
        let warmer = Warmer(pipeline: pipeline, concurrency: 2)
        let status: @Sendable () -> ServiceStatus = {
            let counters = store.counters
            var status = ServiceStatus(
                pipeline: pipeline.status, warming: warmer.pendingCount,
                origins: fetcher.origins.map { origin in
                    ServiceStatus.Origin(
                        name: origin.name, breaker: origin.breaker == .closed ? "closed" : "open", retryAfter: nil,
                        underWay: origin.fetches.held, waiting: origin.fetches.waitingCount,
                        attempts: origin.totals.attempts, retries: origin.totals.retries,
                        resumed: origin.totals.resumed, failures: origin.totals.failures)
                },
                disk: ServiceStatus.Disk(
                    originals: Int(counters.count), bytes: Int(counters.bytes), byteBudget: settings.disk.byteBudget,
                    unstored: counters.unstored, evicted: counters.evicted, damaged: counters.damaged,
                    isWritable: store.isWritable),
                queues: [
                    ServiceStatus.Queue(
                        name: "codec", running: codec.usage.held, waiting: codec.usage.waitingCount,
                        limit: codec.queueLimit)
                ])
            status.variantDisk = ServiceStatus.VariantDisk(
                variantStore.counters, byteBudget: settings.variantDisk.byteBudget)
            return status
        }

        let records = AwaitedState<[RequestRecord]>([])
        let recorder = RequestRecorder(
            metrics: registry, hitRoutes: PictureRoute.routes, accessLog: settings.accessLog
        ) { record in
            records.change { $0.append(record) }
        }
        let hits = CacheHitHandler(
            pipeline: pipeline, caching: settings.caching, policies: settings.pictures, clients: settings.clients,
            serverName: "OneSheet", idleTimeout: nil, recorder: recorder)
        let (ports, started) = AsyncStream.makeStream(of: Int.self)
        var router = PosterRouter(pipeline: pipeline)
        router.films = settings.films
        router.web = try settings.web ? Self.files.get() : nil
        router.compatibility = settings.compatibility
        router.documents = settings.documents
        router.caching = settings.caching
        router.policies = settings.pictures
        router.links = settings.links
        router.prefetching = settings.token.map { (warmer, $0) }
        router.clients = settings.clients
        router.status = {
            var status = status()
            status.targets = hits.usage
            (status.library, status.events) = (settings.library, settings.eventStatus)
            status.objectStore = shared.map { ServiceStatus.ObjectStore($0.status) }
            status.redis = redis.map { ServiceStatus.Redis($0, variants: redisVariants) }
            return status
        }
        router.metrics = MetricsPage(registry, version: ProductVersion.current)
        router.recorder = recorder
        let deadlines = settings.deadlines
        let sendBudget = SendBudget(limit: settings.sendBudget, metrics: registry)
        let connections = ConnectionServer(
            responder: ChannelResponder.make(router.make().buildResponder(), serverName: "OneSheet", logger: logger),
            limits: deadlines, idleTimeout: .hours(1), credentials: settings.tls, sendBudget: sendBudget,
            serverName: "OneSheet", recorder: recorder, handlers: { [CacheHitHandler.Installer(hits)] })
        let listeners = HTTPListeners(
            places: [ListenAddress(.port(host: "127.0.0.1", 0), isSecure: settings.tls != nil)],
            connections: connections, bounds: .init(4096, proxies: settings.clients.proxies), metrics: registry,
            logger: logger
        ) { places in
            if case .port(_, let port) = places[0].socket { started.yield(port) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listeners.run() }
            guard let port = await ports.first(where: { _ in true }) else { return }
            try await body(
                LiveServer(
                    port: port, pipeline: pipeline, folder: folder, fetcher: fetcher, codec: codec,
                    sendBudget: sendBudget, records: records))
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        warmer.close()
        pipeline.close()
        await variantStore.close()
        await store.close()
        withExtendedLifetime(data) {}
    }
}

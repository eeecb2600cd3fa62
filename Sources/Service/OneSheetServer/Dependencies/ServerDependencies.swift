import ClusterState
import CodecWorkers
package import CoreMetrics
import EmbeddedCatalogue
import Flights
package import HTTPFetch
import HTTPServer
package import Logging
import MovieAPI
import MovieDomain
import MovieHTTP
import MovieLibrary
package import OneSheetConfiguration
import PosterAPI
import PosterCodec
package import PosterOrigins
package import PosterPipeline
import RedisClient
import Synchronization

/// All objects between the HTTP server and the outside world, created once per process, by the server or by a command
/// that runs without one.
package final class ServerDependencies: Sendable {
    /// The number of threads for disk work, and the length limit of their queue.
    private static let diskThreads = 4
    private static let diskQueue = 1024

    let movies: MovieDependencies
    let store: DiskOriginalStore
    package let variantStore: DiskVariantStore
    let sharedStore: SharedOriginalStore?
    let redis: RedisClient?
    /// `nil` if rates and budgets are this node's own.
    let limits: SharedLimits?
    /// `nil` if other nodes cannot read this node's fetched originals.
    private let leases: RedisFetchLeases?
    /// Seconds since 1970.
    let clock: @Sendable () -> Int64
    let redisVariants: RedisVariantStore?
    /// Events of originals on all nodes; `nil` without Redis.
    let events: OriginalEventStream?
    let locator: RoutingPosterLocator
    package let pipeline: PosterPipeline
    let planes: PlaneCache
    let warmer: Warmer
    /// `nil` unless posters of lists are rendered ahead.
    private let listWarmer: ListWarmer?

    private let configuration: ServeConfiguration
    let overrides: Overrides
    private let origins: ReloadableValue<[String: OriginTemplate]>
    /// Names of origins removed by reloads.
    private let goneOrigins = ReloadableValue<Set<String>>([])
    private let sources: OriginalFetcher
    let logger: Logger
    package let fetcher: Fetcher
    package let codecThreads: BoundedThreadPool
    private let reencodingThreads: BoundedThreadPool?
    private let diskThreads: BoundedThreadPool
    private let codec: IsolatedCodec

    private let isStopping = Atomic<Bool>(false)

    /// - Parameter data: Stays locked while this object is used.
    /// - Throws: An error with a description for the operator.
    package init(
        _ configuration: ServeConfiguration, data: DataDirectory, logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory, overrides: Overrides = Overrides()
    ) throws {
        let clock = overrides.secondsSince1970
        self.clock = clock
        self.configuration = configuration
        self.overrides = overrides
        self.logger = logger
        self.codecThreads = BoundedThreadPool(
            count: configuration.codecThreads, queueLimit: configuration.codecQueue,
            weightLimit: configuration.renderMemoryBudget, whenAdmitted: Self.waits(for: "codec", metrics))
        self.reencodingThreads = configuration.reencoding.map { _ in
            BoundedThreadPool(
                count: configuration.codecThreads, queueLimit: configuration.codecThreads, hasLowPriority: true)
        }
        self.diskThreads = BoundedThreadPool(
            count: Self.diskThreads, queueLimit: Self.diskQueue,
            weightLimit: MemoryBudgets(configuration).verification, whenAdmitted: Self.waits(for: "disk", metrics))
        let diskThreads = self.diskThreads
        // Workers map the fonts when they start.
        try configuration.pictures.installBadgeFonts()
        let codec =
            try overrides.codec.map { IsolatedCodec(workers: $0.workers, quarantine: $0.quarantine) }
            ?? IsolatedCodec(configuration, in: data.path, disk: diskThreads, logger: logger, secondsSince1970: clock)
        self.codec = codec
        let codecLimits = codec.limits(configuration.codecLimits)
        let verifier = OriginalVerifier(limits: codecLimits)
        let redis = configuration.redis.map { RedisClient($0.client, logger: logger, metrics: metrics) }
        self.redis = redis
        let limits = redis.map { redis in
            SharedLimits(
                node: configuration.nodes.name, redis: redis, clients: configuration.clients.rates,
                now: { Instant(secondsSince1970: clock()) }, metrics: metrics)
        }
        self.limits = limits
        let originWaits = Timer(label: "onesheet.origin.wait", factory: metrics)
        self.fetcher = try Fetcher(configuration: configuration.fetch, sharedRates: limits?.originRates) {
            originWaits.recordNanoseconds($0)
        }
        var disk = DiskOriginalStore.Configuration()
        disk.byteBudget = configuration.diskBudget
        disk.openLimit = DescriptorLimit.raise().originals(wanted: configuration.openOriginals)
        self.store = try DiskOriginalStore(
            in: data, configuration: disk, verifier: verifier, threads: self.diskThreads, logger: logger,
            secondsSince1970: clock)
        var variantDisk = DiskVariantStore.Configuration()
        variantDisk.byteBudget = configuration.variantDiskBudget
        // With a budget of 0 it removes the variants of an earlier process.
        let variantStore = try DiskVariantStore(
            in: data, configuration: variantDisk, threads: self.diskThreads, logger: logger, secondsSince1970: clock)
        self.variantStore = variantStore
        let store = self.store
        self.sharedStore = try configuration.sharedStore.map { settings in
            try Self.sharedStore(settings, disk: store, in: data, clock: clock, logger: logger, metrics: metrics)
        }
        let redisVariants = redis.flatMap { client in
            configuration.redis?.variants.map { RedisVariantStore(client, configuration: $0) }
        }
        self.redisVariants = redisVariants
        let variantsOnDisk = configuration.variantDiskBudget > 0 ? variantStore : nil
        let events = try Self.eventStream(
            configuration, self.redis, store: store, in: data, threads: self.diskThreads, clock: clock, logger: logger)
        self.events = events
        self.leases = Self.leases(configuration, redis, self.sharedStore, metrics)
        self.planes = PlaneCache(byteBudget: configuration.planesBudget)
        var policies = PosterPipeline.Policies()
        policies.freshness = configuration.freshness
        policies.failureDuration = configuration.failureDuration
        policies.ladderAhead = configuration.ladderAhead
        policies.earlyByteLimit = configuration.earlyDecodeBudget
        policies.reencoding = configuration.reencoding
        policies.variantStore = overrides.variantStore
        self.origins = ReloadableValue(configuration.origins)
        self.sources = OriginalFetcher(
            fetcher: self.fetcher, threads: self.diskThreads, verifier: verifier,
            credentials: configuration.credentials, metrics: metrics)
        let fetcher = self.fetcher
        let movies =
            try overrides.movies
            ?? MovieDependencies(
                configuration, codecLimits: codecLimits, directory: data.path, fetcher: fetcher,
                budgets: limits?.dailyBudgets, clock: clock, metrics: metrics, logger: logger)
        self.movies = movies
        let locator = RoutingPosterLocator(
            films: movies.posters, packagedPath: movies.catalogue.path(of:), origins: self.origins,
            tmdbImages: configuration.pictures.tmdbImages, videoThumbnails: configuration.pictures.videoThumbnails,
            languages: configuration.posterLanguages, logger: logger)
        self.locator = locator
        self.pipeline = PosterPipeline(
            originals: OriginalPorts(
                locator: overrides.locator(locator), store: self.sharedStore ?? self.store, source: self.sources,
                leases: self.leases, events: overrides.events ?? events, gate: overrides.gate ?? events?.gate),
            renderer: VariantRenderer(
                threads: self.codecThreads, limits: codecLimits, workers: codec.workers,
                quarantine: codec.quarantine, now: Uptime.nanoseconds, metrics: metrics),
            variants: VariantCache(
                byteBudget: configuration.variantsBudget, limitPerPoster: configuration.variantsPerPoster),
            variantStore: redisVariants.map { LayeredVariantStore(near: variantsOnDisk, shared: $0) } ?? variantsOnDisk,
            planes: self.planes, policies: policies, reencodingThreads: self.reencodingThreads,
            environment: PipelineEnvironment(
                logger: logger, now: overrides.now, secondsSince1970: clock, metrics: metrics))
        self.events?.prepare(self.pipeline)
        self.warmer = Warmer(
            pipeline: self.pipeline, concurrency: configuration.codecThreads, queueLimit: configuration.warmQueue)
        self.listWarmer = configuration.warmsLists ? Self.listWarmer(configuration, self.pipeline) : nil
    }

    private static func listWarmer(_ configuration: ServeConfiguration, _ pipeline: PosterPipeline) -> ListWarmer {
        // A separate warmer: a superseded list cancels only work for lists.
        let warmer = Warmer(
            pipeline: pipeline, concurrency: configuration.codecThreads, queueLimit: configuration.warmQueue)
        return ListWarmer(warmer: warmer, targets: pipeline.targets)
    }

    var movieServices: MovieServices {
        var services = self.overrides.movieServices ?? self.movies.services
        if let listWarmer {
            let languages = self.configuration.posterLanguages
            services.listServed = { films, language, path, client in
                let selection = PosterSelection(language: language.code)
                let posters = films.compactMap { film in
                    try? languages.id(PosterID(source: film.source.rawValue, key: film.key), selection)
                }
                listWarmer.listServed(ServedList(kind: ServedList.Kind(name: path, client: client), posters: posters))
            }
        }
        return services
    }

    /// Replaces origins and credentials; fetches in progress continue. Must not be called concurrently.
    ///
    /// A fetch that was located before and begins afterwards never gets another origin's credentials: they are bound to
    /// URLs.
    func replaceOrigins(_ origins: [String: OriginTemplate], _ credentials: OriginCredentials) {
        self.sources.replaceCredentials(credentials)
        let before = Set(self.origins.value.keys)
        self.origins.replace(origins)
        let gone = self.goneOrigins.value.union(before).subtracting(origins.keys)
        self.goneOrigins.replace(gone)
        self.pipeline.forget(sources: gone)
    }

    private static func waits(for queue: String, _ metrics: any MetricsFactory) -> @Sendable (UInt64) -> Void {
        let timer = Timer(label: "onesheet.queue.wait", dimensions: [("queue", queue)], factory: metrics)
        return { timer.recordNanoseconds($0) }
    }

    /// Cancels background work; work that clients wait for continues.
    func stopBackgroundWork() {
        self.isStopping.store(true, ordering: .relaxed)
        self.listWarmer?.close()
        self.warmer.close()
        self.pipeline.close()
        if self.overrides.movies == nil { self.movies.stopBackgroundWork() }
    }

    /// Runs `body`, then ends all work and writes unsaved state, even if `body` failed.
    package func closing(after body: () async throws -> Void) async throws {
        var failure: (any Error)?
        do { try await body() } catch { failure = error }
        try await self.close()
        if let failure { throw failure }
    }

    /// Performs pending uploads, removals and events, for a process that does not serve.
    package func flush() async throws {
        try await self.sharedStore?.flush()
        try await self.events?.flush()
    }

    private func close() async throws {
        self.stopBackgroundWork()
        self.fetcher.shutdown()
        self.leases?.close()
        self.sharedStore?.close()
        try await self.codecThreads.shutDown()
        try await self.reencodingThreads?.shutDown()
        self.codec.workers?.close()
        await self.events?.close()
        await self.variantStore.close()
        await self.store.close()
        try await self.diskThreads.shutDown()
        if self.overrides.movies == nil { self.movies.close() }
    }

    /// The latest refused originals.
    func quarantined(limit: Int) -> [Quarantine.Entry] { self.codec.quarantine?.entries(limit: limit) ?? [] }

    var status: ServiceStatus {
        let (counters, pending) = (self.store.counters, self.store.pending)
        let queues = [("codec", self.codecThreads), ("disk", self.diskThreads)]
        var status = ServiceStatus(
            pipeline: self.pipeline.status, warming: self.warmer.pendingCount,
            origins: self.fetcher.origins.map(ServiceStatus.Origin.init),
            disk: ServiceStatus.Disk(
                originals: Int(counters.count), bytes: Int(counters.bytes), byteBudget: self.configuration.diskBudget,
                pending: pending.count, pendingBytes: pending.bytes, unstored: counters.unstored,
                evicted: counters.evicted, damaged: counters.damaged,
                isWritable: self.store.isWritable),
            queues: queues.map { name, threads in
                let usage = threads.usage
                return ServiceStatus.Queue(
                    name: name, running: usage.held, waiting: usage.waitingCount, limit: threads.queueLimit)
            }, isStopping: self.isStopping.load(ordering: .relaxed))
        status.variantDisk = ServiceStatus.VariantDisk(
            self.variantStore.counters, byteBudget: self.configuration.variantDiskBudget)
        status.library = self.movies.libraryStatus
        status.sources = self.movies.states
        status.events = self.events.map(ServiceStatus.Events.init)
        status.objectStore = self.sharedStore.map { ServiceStatus.ObjectStore($0.status) }
        status.isolation = self.codec.status
        status.redis = self.redis.map { ServiceStatus.Redis($0, variants: self.redisVariants) }
        status.faults = self.faults
        return status
    }
}

extension ServiceStatus.VariantDisk {
    init(_ counters: VariantDiskCounters, byteBudget: Int) {
        self.init(
            variants: counters.count, bytes: counters.bytes, byteBudget: byteBudget, pending: counters.pending,
            writes: counters.writes, evicted: counters.evictions, refused: counters.refusals,
            failures: counters.failures, damaged: counters.damaged)
    }
}

extension ServiceStatus.ObjectStore {
    init(_ status: SharedStoreStatus) {
        let counters = status.counters
        let (breaker, retryAfter) = ServiceStatus.Origin.breaker(status.breaker, pause: nil)
        self.init(
            name: status.name, breaker: breaker, retryAfter: retryAfter, waiting: status.waiting,
            waitingBytes: status.waitingBytes, hits: counters.hits, misses: counters.misses,
            failures: counters.failures, uploaded: counters.uploaded, removed: counters.removed,
            damaged: counters.damaged, dropped: counters.dropped)
    }
}

extension ServiceStatus.Origin {
    /// The name of a breaker's state, and the whole seconds until it changes.
    fileprivate static func breaker(
        _ state: CircuitBreaker.State, pause: Duration?
    ) -> (name: String, retryAfter: Int?) {
        let (name, rest): (String, Duration?) =
            switch state {
            case .closed: ("closed", pause)
            case .open(let remaining): ("open", max(remaining, pause ?? .zero))
            case .halfOpen: ("half-open", pause)
            }
        return (name, rest.map { Int(clamping: $0.components.seconds) + ($0.components.attoseconds > 0 ? 1 : 0) })
    }

    init(_ state: OriginState) {
        let (breaker, retryAfter) = Self.breaker(state.breaker, pause: state.pause)
        self.init(
            name: state.name, breaker: breaker, retryAfter: retryAfter, underWay: state.fetches.held,
            waiting: state.fetches.waitingCount, attempts: state.totals.attempts,
            retries: state.totals.retries, resumed: state.totals.resumed, failures: state.totals.failures)
    }
}

package import CoreMetrics
package import EmbeddedCatalogue
import Flights
import FoundationEssentials
package import HTTPFetch
import HTTPServer
package import Logging
import MovieAPI
import MovieCompatibility
import MovieDomain
package import MovieHTTP
import MovieLibrary
import MovieLibraryPostgres
package import OneSheetConfiguration
import PosterAPI
package import PosterCodec
import PosterOrigins
import PosterPipeline
import RebuildableDatabase
import ServiceLifecycle
package import UpstreamClient

/// The adapters and databases of the film domain, created once per process.
package final class MovieDependencies: Sendable {
    /// Lifetime of encoded responses: short enough to go unnoticed, long enough to absorb bursts of equal requests.
    private static let sharedResponseLifetime: Duration = .seconds(1)
    /// Interval of checks of the shared database, which detect its recovery without requests.
    private static let libraryWatchPeriod: Duration = .seconds(5)

    private let library: LibraryDatabase
    /// The database that nodes share; `nil` uses the node's own file.
    private let shared: PostgresLibrary?
    let posters: MoviePosterLookup
    package let catalogue: CatalogueResource
    private let sources: MovieAdapters
    private let sessions: any SessionRepository
    private let key: SecretKey
    private let favourites: LinkedFavourites
    private let watchlist: LinkedFavourites
    private let userData: any UserDataRepository
    /// Moves of watchlists to their accounts' source, a few at once; moves above the limit are left to the next time.
    private let moves = BackgroundTasks<Owner, Bool>(limit: 4, overflow: .ignoresNew, priority: .utility)
    private let identities: FilmIdentities
    /// The scores for badges on posters.
    private let scores: FilmBadgeScores
    let requestedTitles = RequestedTitles()
    private let posterIDs: IMDbPosterIDs
    private let answers: ResponseStore
    /// `nil` if decisions are in the shared database.
    private let ownDecisions: SQLitePosterDecisions?
    private let settings: SourceSettings
    private let signUpLimits: SignUpRateLimiter.Limits
    private let now: @Sendable () -> Instant
    private let logger: Logger

    /// - Parameters:
    ///   - codecLimits: The limits of posters; `nil` for the configured ones.
    ///   - directory: The data directory; `nil` stores nothing beyond the process.
    ///   - budgets: Daily budgets shared with other nodes; `nil` without other nodes.
    ///   - clock: Seconds since 1970.
    /// - Throws: An error with a description for the operator.
    package init(
        _ configuration: ServeConfiguration, codecLimits: CodecLimits? = nil, directory: String?, fetcher: Fetcher,
        budgets: (any SharedDailyBudgets)? = nil, clock: @escaping @Sendable () -> Int64,
        metrics: any MetricsFactory = MetricsSystem.factory, logger: Logger
    ) throws {
        let now: @Sendable () -> Instant = { Instant(secondsSince1970: clock()) }
        let catalogue = try CatalogueResource()
        let films = try Self.openLibrary(directory, with: catalogue, logger: logger, now: now)
        let shared = configuration.library.map {
            PostgresLibrary(url: $0.url, logger: logger, metrics: PostgresMetrics(metrics: metrics), now: now)
        }
        let answers = try Self.openAnswers(
            directory, byteBudget: configuration.sources.answerBudget, logger: logger)
        var decoding = DecodingPool.Limits()
        decoding.timeout = configuration.fetch.totalTimeout
        let sources = try MovieAdapters(
            configuration.sources,
            MovieAdapters.Context(
                films: films, catalogue: catalogue, shared: shared,
                upstreams: UpstreamClient.Environment(
                    transport: FetchTransport(fetcher), store: answers, budgets: budgets, now: now, logger: logger,
                    supplementTimeout: configuration.sources.supplementTimeout, decoding: DecodingPool(decoding))))
        let own =
            shared == nil
            ? SQLitePosterDecisions(path: directory.map { "\($0)/posters.sqlite" }, logger: logger) : nil
        self.key = try Self.secretKey(configuration.sources, directory: directory, logger: logger)
        if shared != nil, configuration.sources.secretKeyFile == nil {
            logger.warning("Nodes that share a library need the same key: set --secret-key-file")
        }
        let stores = LibraryStores(shared: shared, own: films.library, ownDecisions: own, key: self.key, logger, now)
        self.catalogue = catalogue
        self.library = films.library
        self.shared = shared
        self.sources = sources
        self.answers = answers
        self.ownDecisions = own
        let identities = FilmIdentities(
            links: stores.links, finder: sources.counterparts, own: sources.pictures, now: now)
        self.identities = identities
        self.posters = MoviePosterLookup(
            own: sources.pictures, off: sources.off, finders: sources.finders,
            inspector: RemotePictureInspector(
                fetcher: fetcher, limits: codecLimits ?? configuration.codecLimits,
                tmdbImages: configuration.pictures.tmdbImages),
            memory: stores.decisions, identities: identities, now: now)
        self.scores = FilmBadgeScores(
            FindScores(
                sources: sources.movies, supplements: sources.supplements, identities: identities),
            titles: self.requestedTitles, timeout: configuration.sources.supplementTimeout, now: now)
        self.posterIDs = IMDbPosterIDs(sources.findByIMDbTitle, titles: self.requestedTitles, now: now)
        self.sessions = stores.sessions
        self.favourites = LinkedFavourites(stores.favourites, links: stores.links)
        self.watchlist = LinkedFavourites(stores.watchlist, links: stores.links)
        self.userData = stores.userData
        self.settings = configuration.sources
        self.signUpLimits = configuration.signUpLimits
        self.now = now
        self.logger = logger
    }

    package var services: MovieServices {
        var services = MovieServices(
            sources: self.sources.movies, catalogue: self.sources.catalogue, boxOffice: self.sources.boxOffice,
            store: self.sources.store, supplements: self.sources.supplements, accounts: self.sources.accounts,
            approvals: self.sources.approvals, sessions: self.sessions, favourites: self.favourites,
            watchlist: self.watchlist, userData: self.userData, defaultLanguage: self.settings.language, now: self.now)
        services.showPerson = self.sources.people
        services.personCatalogue = self.sources.personCatalogue
        services.showCollection = self.sources.collections
        services.defaultRegion = self.settings.region
        services.sessionSeconds = Int64(self.settings.sessionDays) * 86_400
        services.sharedResponseLifetime = Self.sharedResponseLifetime
        services.formTokenKey = self.key.derived("form tokens")
        services.newcomers = SignUpRateLimiter(self.signUpLimits, now: Uptime.nanoseconds)
        services.identities = self.identities
        services.findByIMDbTitle = self.sources.findByIMDbTitle
        services.series = self.sources.series
        services.startMoving = { [moves = self.moves] owner, move in _ = moves.start(true, for: owner, move) }
        services.posters = self.posters.decisions
        services.isPosterless = { [posters = self.posters] in posters.isPosterless($0) }
        return services
    }

    var libraryStatus: ServiceStatus.Library {
        let state = self.shared?.state ?? self.library.state
        return ServiceStatus.Library(
            isReadable: state.isReadable, isWritable: state.isWritable,
            server: self.shared.map { ServiceStatus.LibraryServer($0.serverState) })
    }

    /// The library's fault in effect; `nil` while it works.
    var libraryFault: FaultLog.Fault? { self.shared?.fault ?? (self.shared == nil ? self.library.health.fault : nil) }

    /// Connects to the shared database periodically: creates its tables, and detects when it works again.
    var libraryWatch: BackgroundService? {
        self.shared.map { shared in
            BackgroundService {
                while true {
                    do {
                        try await shared.connect()
                    } catch is StorageFailure {
                        // The failure is logged, and films and posters need no library.
                    }
                    try await Task.sleep(for: Self.libraryWatchPeriod)
                }
            }
        }
    }

    /// Completes requests for films' posters.
    var resolver: PictureResolver { PictureResolver(ids: self.posterIDs, scores: self.scores) }

    var documents: CompatibleUpstreams { self.sources.documents }

    /// The state of every source, with the option that would enable a missing one.
    var states: [ServiceStatus.Source] {
        MovieSource.allCases.map { ServiceStatus.Source(name: $0.rawValue, option: self.sources.off[$0]) }
    }

    /// The use of sources that have a key or need none.
    ///
    /// - Throws: `CancellationError`.
    func usage() async throws -> [UpstreamUsage] { try await self.sources.usage() }

    var maintenance: ResponseMaintenance {
        ResponseMaintenance(answers: self.answers, now: self.now, logger: self.logger)
    }

    /// Cancels requests without a waiting client; other requests continue.
    func stopBackgroundWork() {
        self.moves.close()
        self.posters.close()
        self.scores.close()
        self.sources.close()
    }

    /// Ends background work and closes the databases, which writes back their write-ahead logs.
    package func close() {
        self.stopBackgroundWork()
        self.ownDecisions?.close()
        self.shared?.close()
        for (name, close) in [("library", self.library.close), ("answers", self.answers.close)] {
            do {
                try close()
            } catch {
                // For example a full disk. The log stays, and nothing is lost.
                self.logger.debug(
                    "A database's log was not checkpointed",
                    metadata: ["database": "\(name)", "error.message": "\(error)"])
            }
        }
    }
}

extension MovieDependencies {
    private struct LibraryFailure: Error, CustomStringConvertible {
        let path: String
        let cause: any Error

        var description: String {
            "the library \(self.path) cannot be used (\(self.cause)); it holds favourites and accounts: restore it, move it "
                + "aside, or choose another --data-dir"
        }
    }

    private static func openLibrary(
        _ directory: String?, with catalogue: CatalogueResource, logger: Logger,
        now: @escaping @Sendable () -> Instant
    ) throws -> CatalogueDatabase {
        let path = directory.map { "\($0)/library.sqlite" }
        do {
            let library = try LibraryDatabase(path: path, logger: logger, now: now)
            let films = CatalogueDatabase(library)
            try films.importCatalogue(catalogue)
            return films
        } catch let newer as LibraryDatabase.NewerVersion {
            throw newer
        } catch {
            throw LibraryFailure(path: path ?? "in memory", cause: error)
        }
    }

    private static func openAnswers(
        _ directory: String?, byteBudget: Int, logger: Logger
    ) throws -> ResponseStore {
        var limits = ResponseStore.Limits()
        limits.bytes = byteBudget
        return try ResponseStore(path: directory.map { "\($0)/answers.sqlite" }, limits: limits, logger: logger)
    }

    private static func secretKey(
        _ settings: SourceSettings, directory: String?, logger: Logger
    ) throws -> SecretKey {
        let path = settings.secretKeyFile ?? directory.map { "\($0)/secret.key" }
        guard let path else { return SecretKey() }
        do throws(SecretKeyFile.Failure) {
            let file = try SecretKeyFile(path, createsMissing: settings.secretKeyFile == nil)
            if file.isPublic {
                logger.warning(
                    "Every user of this machine can read the key of sessions", metadata: ["path": "\(path)"])
            }
            return file.key
        } catch {
            throw SettingError(option: "secret-key-file", value: path, allowed: "a file with a key; \(error)")
        }
    }
}

/// Deletes expired responses of all sources, enabled or not, at the start and once a day.
struct ResponseMaintenance: Service {
    private static let period: Duration = .seconds(86_400)

    let answers: ResponseStore
    let now: @Sendable () -> Instant
    let logger: Logger

    func run() async throws {
        try await BackgroundService {
            while true {
                try await self.sweep()
                try await Task.sleep(for: Self.period)
            }
        }.run()
    }

    /// Deletes once; throws only cancellation.
    func sweep() async throws {
        let age = UpstreamLifetimes().maxAge.components.seconds
        let oldest = Instant(secondsSince1970: self.now().secondsSince1970 - age)
        for source in MovieSource.allCases {
            do {
                try await self.answers.remove(of: source, before: oldest)
            } catch let error where !(error is CancellationError) {
                self.logger.warning(
                    "Old responses of a source cannot be deleted",
                    metadata: ["movie.source": "\(source.rawValue)", "error.message": "\(error)"])
            }
        }
    }
}

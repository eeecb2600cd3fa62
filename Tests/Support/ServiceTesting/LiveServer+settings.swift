package import CodecWorkers
import Flights
package import HTTPFetch
package import HTTPServer
package import MovieCompatibility
package import MovieHTTP
import MovieWeb
import OneSheetConfiguration
import OneSheetServer
package import PosterAPI
package import PosterCodec
package import PosterOrigins
package import PosterPipeline
package import PosterTesting

extension LiveServer {
    /// The service's settings in a test: options, values that options or files would set, and replaced parts.
    package struct Settings: Sendable {
        /// Options of `onesheet serve`, by name without dashes; the other members have priority.
        package var options: [String: [String]] = [:]
        package var fetch = FetchConfiguration()
        package var policies = PosterPipeline.Policies()
        package var limits = CodecLimits()
        /// The data directory; a new folder by default.
        package var folder = TemporaryFolder()
        package var credentials = OriginCredentials()
        package var codecThreads = 2
        package var codecQueue = 1000
        package var token: AdminToken?
        package var clients = ClientPolicy()
        package var pictures = ReloadablePicturePolicy()
        /// `nil` serves plain HTTP.
        package var tls: TLSCredentials?
        /// Limit of unsent response bytes.
        package var sendBudget = SendBudget.defaultLimit
        package var links = PosterURLBuilder()
        /// The APIs in other services' formats; `documents` are the responses of those services.
        package var compatibility = CompatibilityResources.Settings(apis: [])
        package var documents = CompatibleUpstreams()
        package var web = false
        package var accessLog: AccessLog?

        /// Receives events of originals; `nil` without other nodes.
        package var events: (any OriginalEventPublisher)?
        /// Decides whether image requests are answered; `nil` answers all.
        package var gate: EventGate?
        /// `nil` decodes on threads.
        package var workers: CodecWorkerPool?
        /// Used with `workers` only.
        package var quarantine: Quarantine?
        /// `nil` serves the embedded catalogue.
        package var films: MovieServices?
        /// The clock for freshness, in seconds since 1970.
        package var secondsSince1970: @Sendable () -> Int64 = { 0 }
        /// The clock of the negative cache, in nanoseconds.
        package var now: @Sendable () -> UInt64 = Uptime.nanoseconds

        package init() {}
    }
}

extension LiveServer.Settings {
    /// The website's files, parsed once.
    private static let webFiles = Result { try WebFiles() }
    /// Idle connections stay open for the whole test.
    private static let idleTimeout = Duration.seconds(3600)

    /// - Parameter origin: Has the originals of the source `mine`, TMDB's images and videos' thumbnails.
    func configuration(origin: OriginServer) throws -> ServeConfiguration {
        var options = ["variant-disk-budget": ["0"], "data-dir": [self.folder.path]]
        options.merge(self.options) { $1 }
        var configuration = try ConfigurationSource(commandLine: options, environment: [:]).read().configuration
        let template = try OriginTemplate(origin.baseURL + "/{+key}")
        configuration.origins = ["mine": template]
        configuration.pictures.tmdbImages = template
        configuration.pictures.videoThumbnails = template
        configuration.credentials = self.credentials
        configuration.credentials.tie(to: configuration.origins)
        configuration.fetch = self.fetch

        configuration.memoryBudget = 64 << 20
        configuration.planesBudget = 0
        configuration.isolation = .thread
        configuration.codecThreads = self.codecThreads
        configuration.codecQueue = self.codecQueue
        configuration.codecLimits = self.limits
        configuration.freshness = self.policies.freshness
        configuration.failureDuration = self.policies.failureDuration
        configuration.ladderAhead = self.policies.ladderAhead
        configuration.reencoding = self.policies.reencoding
        configuration.earlyDecodeBudget = self.policies.earlyByteLimit

        configuration.connectionsPerAddress = 0
        configuration.deadlines.idle = Self.idleTimeout
        configuration.sendMemoryBudget = self.sendBudget
        configuration.clients = self.clients
        configuration.publicURL = self.links.publicURL
        return configuration
    }

    func files() throws -> HTTPFrontend.Files {
        HTTPFrontend.Files(
            policies: self.pictures, token: self.token, credentials: self.tls,
            web: try self.web ? Self.webFiles.get() : nil, compatibility: self.compatibility)
    }

    func overrides(_ configuration: ServeConfiguration) throws -> ServerDependencies.Overrides {
        var overrides = ServerDependencies.Overrides()
        overrides.secondsSince1970 = self.secondsSince1970
        overrides.now = self.now
        overrides.locator = { LiveServerLocator(service: $0) }
        overrides.events = self.events
        overrides.gate = self.gate
        overrides.codec = self.workers.map { ($0, self.quarantine) }
        overrides.variantStore = self.policies.variantStore
        overrides.movieServices = self.films
        overrides.documents = self.documents
        if configuration.library == nil {
            overrides.movies = try SharedCatalogue.movies
        } else {
            try SharedCatalogue.copyLibrary(to: configuration.dataDirectory)
        }
        return overrides
    }
}

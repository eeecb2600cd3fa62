import HTTPFetch
import Hummingbird
import Logging
import MovieData
import MovieDomain
import PosterHTTP
import PosterOrigins
import PosterPipeline
import PosterTesting

/// The whole service on an ephemeral port, with a data directory of its own.
final class LiveServer: Sendable {
    let port: Int
    let pipeline: PosterPipeline
    let folder: TemporaryFolder

    private init(port: Int, pipeline: PosterPipeline, folder: TemporaryFolder) {
        self.port = port
        self.pipeline = pipeline
        self.folder = folder
    }

    func connect() throws -> HTTPConnection {
        try HTTPConnection(port: self.port)
    }

    /// One request on a connection of its own.
    func get(
        _ target: String, headers: [String: String] = [:], method: String = "GET"
    ) async throws -> HTTPConnection.Answer {
        try await self.connect().get(target, headers: headers, method: method)
    }

    /// Sends posters of the source `mine` to an origin, and the rest to the embedded catalogue.
    private struct Locator<Movies: MovieRepository>: PosterLocator {
        let embedded: LocatePoster<Movies>
        let packagedPosters: String
        let template: OriginTemplate

        func locate(_ id: PosterID) async throws -> OriginalLocation {
            guard id.source != "mine" else { return .web(url: try self.template.url(for: id.key)) }
            guard id.source == PosterID.embeddedSource else {
                throw PosterError.unknownSource(id.source, known: ["mine", "sample"])
            }
            do {
                let poster = try await self.embedded(Movie.ID(rawValue: id.key)!)
                return .file(path: "\(self.packagedPosters)/\(poster.location)", version: poster.version)
            } catch is LocatePoster<Movies>.Failure {
                throw PosterError.unknownPoster(id)
            }
        }
    }

    /// Runs the service for as long as `body` does.
    static func run(
        origin: OriginServer, fetch: FetchConfiguration? = nil,
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let data = try DataDirectory(path: folder.path)
        let library = try LibraryDatabase()
        let resource = try CatalogueResource()
        try library.importCatalogue(resource)
        let movies = SQLiteMovieRepository(library)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = fetch ?? FetchConfiguration()
        configuration.allowPrivateAddresses = true
        let fetcher = try Fetcher(configuration: configuration)
        defer { fetcher.shutdown() }
        let disk = WorkThreads(count: 2, queueLimit: 1000)
        let pipeline = PosterPipeline(
            locator: Locator(
                embedded: LocatePoster(movies: movies), packagedPosters: resource.posterDirectory,
                template: try OriginTemplate(origin.baseURL + "/{+key}")),
            store: try DiskOriginalStore(
                in: data, verifier: OriginalVerifier(), threads: disk, logger: logger, secondsSince1970: { 0 }),
            source: OriginalSources(fetcher: fetcher, threads: disk),
            renderer: VariantRenderer(threads: WorkThreads(count: 2, queueLimit: 1000), now: Uptime.nanoseconds),
            variants: VariantCache(byteBudget: 64 << 20), logger: logger, now: Uptime.nanoseconds)

        let (ports, started) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: try await PosterRouter.make(pipeline: pipeline, movies: movies),
            server: .http1(
                configuration: .init(additionalChannelHandlers: [
                    ConnectionPersistence.Handler(), ClientPresence.Handler(),
                ])),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in started.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            guard let port = await ports.first(where: { _ in true }) else { return }
            try await body(LiveServer(port: port, pipeline: pipeline, folder: folder))
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        withExtendedLifetime(data) {}
    }
}

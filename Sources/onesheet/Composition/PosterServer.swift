import Foundation
import HTTPFetch
import Hummingbird
import HummingbirdCore
import Logging
import MovieData
import MovieDomain
import NIOCore
import PosterHTTP
import PosterOrigins
import PosterPipeline
import ServiceLifecycle
import UnixSignals

/// The composition root: makes every room and connects them.
struct PosterServer {
    /// How long a connection may be silent between requests, or in the middle of sending one.
    private static let idleTimeout = TimeAmount.seconds(60)
    /// How long a stop waits for clients that are being answered.
    private static let stopTimeout = Duration.seconds(30)
    /// Threads that wait for the disk, and how much may wait for them.
    private static let diskThreads = 4
    private static let diskQueue = 1024

    let configuration: ServeConfiguration
    let logger: Logger

    /// Serves until the process is asked to stop.
    ///
    /// - Throws: What keeps it from starting, in words for whoever started it.
    func run() async throws {
        let configuration = self.configuration
        let data = try DataDirectory(path: configuration.dataDirectory)
        let catalogue = try CatalogueResource()
        let library = try self.openLibrary(data.path + "/library.sqlite", with: catalogue)
        let movies = SQLiteMovieRepository(library)

        let codecThreads = WorkThreads(count: configuration.codecThreads, queueLimit: configuration.codecQueue)
        let diskThreads = WorkThreads(count: Self.diskThreads, queueLimit: Self.diskQueue)
        let fetcher = try Fetcher(configuration: configuration.fetch)
        let store = try DiskOriginalStore(
            in: data, verifier: OriginalVerifier(limits: configuration.codecLimits), threads: diskThreads,
            logger: self.logger, secondsSince1970: { Int64(Date().timeIntervalSince1970) })
        let pipeline = PosterPipeline(
            locator: PosterDirectory(
                embedded: LocatePoster(movies: movies), packagedPosters: catalogue.posterDirectory,
                origins: configuration.origins),
            store: store, source: OriginalSources(fetcher: fetcher, threads: diskThreads),
            renderer: VariantRenderer(
                threads: codecThreads, limits: configuration.codecLimits, now: Uptime.nanoseconds),
            variants: VariantCache(byteBudget: configuration.memoryBudget),
            failureDuration: configuration.failureDuration, logger: self.logger, now: Uptime.nanoseconds)

        let application = Application(
            router: try await PosterRouter.make(
                pipeline: pipeline, movies: movies, maxAge: configuration.maxAge, effort: configuration.effort),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionPersistence.Handler(), ClientPresence.Handler()],
                    idleTimeout: Self.idleTimeout)),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "OneSheet",
                availableConnectionsDelegate: .maximum(configuration.maxConnections, logger: self.logger)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
                print("OneSheet serves http://\(host):\(port)/ and keeps its data in \(data.path)")
                fflush(nil)
            },
            logger: self.logger)
        var group = ServiceGroupConfiguration(
            services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: self.logger)
        group.maximumGracefulShutdownDuration = Self.stopTimeout
        let outcome: Result<Void, any Error>
        do {
            try await ServiceGroup(configuration: group).run()
            outcome = .success(())
        } catch is CancellationError {
            outcome = .success(())  // somebody would not finish; the stop was asked for all the same
        } catch {
            outcome = .failure(error)
        }
        fetcher.shutdown()
        try await codecThreads.shutDown()
        try await diskThreads.shutDown()
        try outcome.get()
        withExtendedLifetime(data) {}  // locked to the very end
    }

    /// Why the library cannot be used.
    private struct LibraryFailure: Error, CustomStringConvertible {
        let path: String
        let cause: any Error

        var description: String {
            "the library \(self.path) cannot be used (\(self.cause)); it holds nothing that is not packaged: delete it, "
                + "or choose another --data-dir"
        }
    }

    private func openLibrary(_ path: String, with catalogue: CatalogueResource) throws -> LibraryDatabase {
        do {
            let library = try LibraryDatabase(path: path)
            try library.importCatalogue(catalogue)
            return library
        } catch {
            throw LibraryFailure(path: path, cause: error)
        }
    }
}

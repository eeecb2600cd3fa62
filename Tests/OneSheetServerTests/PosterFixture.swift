import Flights
import HTTPFetch
import HTTPServer
import Hummingbird
import Logging
import MovieDomain
import MovieTesting
import NIOCore
import OneSheetServer
import PictureTesting
import PosterCodec
import PosterOrigins
import PosterPipeline
import PosterTesting
import PrometheusMetrics
import Testing

@testable import OneSheetServer

/// Film posters over HTTP: a server on an ephemeral port, a scripted origin, and scripted finders.
struct PosterFixture: Sendable {
    /// A configuration that allows private addresses.
    struct Opening: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout FetchConfiguration) -> Void
    }

    let port: Int
    let pipeline: PosterPipeline
    let fetcher: Fetcher
    let memory: MemoryPosterDecisions
    let films: MoviePosterLookup

    func get(_ target: String) async throws -> HTTPConnection.Answer {
        try await HTTPConnection(port: self.port).get(target)
    }

    static func run(
        own: [any SourcePictureRepository], finders: [any PosterFinder], tmdbImages: String? = nil,
        videoThumbnails: String? = nil, packagedPath: @escaping @Sendable (String) -> String = { "/\($0)" },
        opening: Opening = Opening(testDescription: "all") { $0.allowPrivateAddresses = true },
        _ body: @escaping @Sendable (PosterFixture) async throws -> Void
    ) async throws {
        var configuration = FetchConfiguration()
        opening.change(&configuration)
        let fetcher = try Fetcher(configuration: configuration)
        defer { fetcher.shutdown() }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let template = try tmdbImages.map { try OriginTemplate($0) }
        let memory = MemoryPosterDecisions()
        let films = MoviePosterLookup(
            own: own, finders: finders,
            inspector: RemotePictureInspector(fetcher: fetcher, limits: CodecLimits(), tmdbImages: template),
            memory: memory, now: { Instant(secondsSince1970: 0) })
        let threads = BoundedThreadPool(count: 2, queueLimit: 100)
        let pipeline = PosterPipeline(
            originals: OriginalPorts(
                locator: RoutingPosterLocator(
                    films: films, packagedPath: packagedPath, origins: ReloadableValue([:]),
                    tmdbImages: template, videoThumbnails: try videoThumbnails.map { try OriginTemplate($0) },
                    logger: logger),
                store: MemoryOriginalStore(), source: OriginalFetcher(fetcher: fetcher, threads: threads)),
            renderer: VariantRenderer(threads: threads, now: Uptime.nanoseconds),
            variants: VariantCache(byteBudget: 16 << 20), environment: PipelineEnvironment(logger: logger))
        defer { pipeline.close() }
        let router = try PosterRouter(pipeline: pipeline).make()
        let connections = ConnectionServer(
            responder: ChannelResponder.make(router.buildResponder(), serverName: "OneSheet", logger: logger),
            limits: .init(), idleTimeout: .hours(1))
        let (ports, started) = AsyncStream.makeStream(of: Int.self)
        let listeners = HTTPListeners(
            places: [ListenAddress(.port(host: "127.0.0.1", 0), isSecure: false)], connections: connections,
            bounds: .init(64), metrics: PrometheusRegistry(), logger: logger
        ) { places in
            if case .port(_, let port) = places[0].socket { started.yield(port) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listeners.run() }
            guard let port = await ports.first(where: { _ in true }) else { return }
            try await body(
                PosterFixture(port: port, pipeline: pipeline, fetcher: fetcher, memory: memory, films: films))
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }
}

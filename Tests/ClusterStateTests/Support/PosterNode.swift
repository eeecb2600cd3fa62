import Flights
import PictureTesting
import PosterCodec
import PosterOrigins
import PosterPipeline
import PosterTesting
import RedisClient
import Synchronization

@testable import ClusterState

/// A node with disk stores and an event stream in front of a scripted origin; it can be restarted.
final class PosterNode: Sendable {
    /// A response as seen by a client.
    struct Seen: Sendable {
        let node: String
        let poster: String
        /// The version of the response's original, as numbered by the test.
        let version: Int
        /// In nanoseconds.
        let begin: UInt64
        let end: UInt64
        /// The node's phase at the beginning of the request.
        let phase: CutOffWatch.Phase
    }

    private struct Store {
        let data: DataDirectory
        let originals: DiskOriginalStore
        let variants: DiskVariantStore
    }

    let name: String
    let client: RedisClient
    let stream: OriginalEventStream
    let pipeline: PosterPipeline
    private let store: Store
    private let disk = BoundedThreadPool(count: 2, queueLimit: 1000)
    private let codec = BoundedThreadPool(count: 2, queueLimit: 1000)

    init(
        _ name: String, port: Int, folder: TemporaryFolder, source: ScriptedOriginalSource, lagLimit: Duration?,
        log: LogRecorder
    ) throws {
        let logger = log.logger()
        let clock = AnchoredClock.make()
        let verifier = OriginalVerifier()
        self.name = name
        self.client = try EventNode.client(port: port, logger)
        let data = try DataDirectory(path: folder.path + "/" + name)
        self.store = Store(
            data: data,
            originals: try DiskOriginalStore(
                in: data, verifier: verifier, threads: self.disk, logger: logger, secondsSince1970: clock),
            variants: try DiskVariantStore(in: data, threads: self.disk, logger: logger, secondsSince1970: clock))
        var settings = OriginalEventStream.Settings(node: name)
        settings.lagLimit = lagLimit
        settings.mayHoldOriginals = self.store.originals.mayHoldOriginals
        self.stream = try OriginalEventStream(
            settings, client: self.client, in: data, threads: self.disk, logger: logger, secondsSince1970: clock)
        var policies = PosterPipeline.Policies()
        policies.variantStore.leastCPUNanoseconds = 0
        self.pipeline = PosterPipeline(
            originals: OriginalPorts(
                locator: KeyedPosterLocator(), store: self.store.originals, source: source, events: self.stream,
                gate: self.stream.gate),
            renderer: VariantRenderer(threads: self.codec, now: Uptime.nanoseconds),
            variants: VariantCache(byteBudget: 16 << 20), variantStore: self.store.variants,
            planes: PlaneCache(byteBudget: 16 << 20), policies: policies,
            environment: PipelineEnvironment(logger: logger, secondsSince1970: clock))
        self.stream.prepare(self.pipeline)
        self.stream.begin()
        self.store.variants.prepare()
    }

    func run(_ body: @escaping @Sendable (PosterNode) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.client.run() }
            group.addTask { try await self.stream.run() }
            group.addTask { try await self.store.originals.run() }
            group.addTask { try await body(self) }
            try await group.next()
        }
        self.pipeline.close()
        await self.stream.close()
        await self.store.variants.close()
        await self.store.originals.close()
        try await self.codec.shutDown()
        try await self.disk.shutDown()
        withExtendedLifetime(self.store.data) {}
    }

    /// Sends a request as a server does.
    /// - Parameter versions: Versions by the digest of the original.
    func request(_ poster: String, width: Int, versions: [Digest: Int]) async throws -> Seen {
        let request = PosterRequest(
            id: try PosterID(key: poster), rendition: .variant(RenderTarget(width: width, format: .jpeg)))
        let (begin, phase) = (Uptime.nanoseconds(), self.stream.watch.phase)
        let query = PosterQuery(request)
        let hit = try self.pipeline.cachedResponse(to: query)
        let response: PosterResponse
        if let hit {
            response = hit
        } else {
            response = try await self.pipeline.response(to: query)
        }
        guard let digest = response.provenance.original?.digest, let version = versions[digest] else {
            throw PosterError.badOriginal(reason: "it is of no version")
        }
        return Seen(
            node: self.name, poster: poster, version: version, begin: begin, end: Uptime.nanoseconds(), phase: phase)
    }
}

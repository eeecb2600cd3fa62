import Flights
import Logging
import NIOCore
import PictureTesting
import PosterPipeline
import PosterTesting
import Synchronization

@testable import HTTPSemantics
@testable import HTTPServer
@testable import PosterAPI

/// A pipeline with one original and one variant of it in memory, and connections without sockets to it.
final class CacheHitFixture: Sendable {
    /// The variant in memory.
    static let hit = "/poster/a.jpg?w=46"
    /// A variant that is not in memory.
    static let miss = "/poster/a.jpg?w=47"

    let pipeline: PosterPipeline
    /// The clock for freshness.
    let day: ManualClock
    /// The variant's bytes.
    let body: [UInt8]
    private let log = Mutex<[RequestRecord]>([])

    init(others: [String: [UInt8]] = [:]) async throws {
        let day = ManualClock()
        self.day = day
        let source = ScriptedOriginalSource()
        source.set(TestPicture.jpeg(width: 60, height: 90), for: "a.jpg")
        for (key, body) in others { source.set(body, for: key) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        self.pipeline = PosterPipeline(
            originals: OriginalPorts(locator: KeyedPosterLocator(), store: MemoryOriginalStore(), source: source),
            renderer: VariantRenderer(threads: BoundedThreadPool(count: 1, queueLimit: 10), now: Uptime.nanoseconds),
            variants: VariantCache(byteBudget: 64 << 20),
            environment: PipelineEnvironment(
                logger: logger, secondsSince1970: { Int64(day.now() / 1_000_000_000) }))
        let query = try ReloadablePicturePolicy().parser.parse(
            RequestTarget(Self.hit), headers: PictureRequestHeaders(), now: 0)
        guard let query else { throw PosterError.badOriginal(reason: "no picture's path") }
        let answer = try await self.pipeline.response(to: PosterQuery(query.request))
        guard case .variant(let poster, _) = answer else { throw PosterError.badOriginal(reason: "not a variant") }
        self.body = Array(poster.bytes.readableBytesView)
    }

    /// The records of hits, in order.
    var facts: [RequestRecord] { self.log.withLock { $0 } }

    func hits(
        idleTimeout: TimeAmount? = nil, policies: ReloadablePicturePolicy = ReloadablePicturePolicy(),
        resolver: PictureResolver = PictureResolver(), clients: ClientPolicy = ClientPolicy()
    ) -> CacheHitHandler {
        let recorder = RequestRecorder { facts in self.log.withLock { $0.append(facts) } }
        return CacheHitHandler(
            pipeline: self.pipeline, policies: policies, resolver: resolver, clients: clients, serverName: "OneSheet",
            idleTimeout: idleTimeout, recorder: recorder)
    }

    static func request(_ target: String = CacheHitFixture.hit, method: String = "GET", fields: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }
}

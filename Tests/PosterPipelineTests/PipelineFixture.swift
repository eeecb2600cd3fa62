import CodecWorkers
import Flights
import HTTPSemantics
import Logging
import PictureTesting
import PosterCodec
import PosterTesting

@testable import PosterPipeline

/// A pipeline with fakes around it, but a real codec.
final class PipelineFixture: Sendable {
    let store: MemoryOriginalStore
    let source: ScriptedOriginalSource
    let variants: VariantCache
    let threads: BoundedThreadPool
    let pipeline: PosterPipeline
    /// The clock for freshness, from 1000 seconds on.
    let day: ManualClock

    init(
        gate: Gate? = nil, store: (any OriginalStore)? = nil, locator: any PosterLocator = KeyedPosterLocator(),
        fetching: (any OriginalSource)? = nil, leases: (any FetchLeases)? = nil, byteBudget: Int = 64 << 20,
        threads: Int = 2, queueLimit: Int = 1000,
        weightLimit: Int = .max, freshness: FreshnessPolicy = FreshnessPolicy(),
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        failureClock: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds, limits: CodecLimits = .init(),
        cpuTime: @escaping @Sendable () -> UInt64 = ThreadTime.nanoseconds, planesBudget: Int = 0,
        ladderAhead: LadderAheadLimits? = nil, earlyByteLimit: Int = PosterPipeline.defaultEarlyByteLimit,
        variantStore: (any VariantStore)? = nil, leastCPUNanoseconds: UInt64 = 0,
        reencoding: ReencodingLimits? = nil, events: (any OriginalEventPublisher)? = nil,
        eventGate: EventGate? = nil, workers: CodecWorkerPool? = nil,
        logger: Logger? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in throw CancellationError() }
    ) {
        let day = ManualClock()
        day.advance(by: .seconds(999))
        self.day = day
        self.store = MemoryOriginalStore()
        self.source = ScriptedOriginalSource(gate: gate)
        self.variants = VariantCache(byteBudget: byteBudget)
        self.threads = BoundedThreadPool(count: threads, queueLimit: queueLimit, weightLimit: weightLimit)
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        var policies = PosterPipeline.Policies()
        policies.freshness = freshness
        policies.ladderAhead = ladderAhead
        policies.earlyByteLimit = earlyByteLimit
        policies.reencoding = reencoding
        policies.variantStore.leastCPUNanoseconds = leastCPUNanoseconds
        self.pipeline = PosterPipeline(
            originals: OriginalPorts(
                locator: locator, store: store ?? self.store, source: fetching ?? self.source, leases: leases,
                events: events, gate: eventGate),
            renderer: VariantRenderer(
                threads: self.threads, limits: limits, workers: workers, now: now, cpuTime: cpuTime),
            variants: self.variants, variantStore: variantStore, planes: PlaneCache(byteBudget: planesBudget),
            policies: policies,
            reencodingThreads: reencoding.map { _ in BoundedThreadPool(count: threads, queueLimit: threads) },
            environment: PipelineEnvironment(
                logger: logger ?? quiet, now: failureClock,
                secondsSince1970: { Int64(day.now() / 1_000_000_000) }, sleep: sleep))
    }

    func answer(
        _ request: PosterRequest, holding tag: EntityTag? = nil, level: Urgency.Level = .interactive
    ) async throws -> PosterResponse {
        try await self.pipeline.response(to: PosterQuery(request, level: level, conditions: Self.holding(tag)))
    }

    /// The cached answer, if it is a variant.
    func known(_ request: PosterRequest) throws -> (Poster, Provenance)? {
        guard let answer = try self.pipeline.cachedResponse(to: PosterQuery(request, conditions: Self.holding(nil)))
        else { return nil }
        return try Self.variant(answer)
    }

    /// Occupies the only codec thread until `release` is opened.
    func occupyThread() async throws -> (release: Latch, end: Task<Void, any Error>) {
        let (held, release) = (Gate(), Latch())
        let threads = self.threads
        // A variant is delivered before its thread is free, and without a queue no work may wait for that.
        try await eventually { threads.usage.held < threads.count }
        let task = Task {
            try await threads.run {
                held.open()
                release.wait()
            }
        }
        try await held.wait()
        return (release, task)
    }

    /// The conditions of a client that holds one variant; with `nil`, a variant of another poster.
    static func holding(_ tag: EntityTag?) -> Preconditions {
        Preconditions(ifNoneMatch: tag?.description ?? "\"another\"")
    }

    static func request(_ key: String, width: Int, format: OutputFormat = .jpeg) throws -> PosterRequest {
        PosterRequest(
            id: try PosterID(key: key), rendition: .variant(RenderTarget(width: width, format: format)))
    }

    static func variant(_ answer: PosterResponse) throws -> (Poster, Provenance) {
        guard case .variant(let poster, let provenance) = answer else {
            throw PosterError.badOriginal(reason: "not a variant: \(answer)")
        }
        return (poster, provenance)
    }
}

extension PosterPipeline {
    var renderWaiterCount: Int { self.scheduler.table.callerCount + (self.stored?.readerCount ?? 0) }

    /// The number of queued and running jobs.
    var jobCount: Int { self.scheduler.table.withLock { $0.jobCount } }

    var hasNoWantedTargets: Bool { self.scheduler.table.withLock { $0.wanted.isEmpty } }
}

extension BoundedThreadPool {
    /// The number of running and queued calls.
    var load: Int { self.usage.held + self.usage.waitingCount }
}

import Flights
import NIOCore
import PictureTesting
import PosterCodec
import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct LadderAheadTests {
    /// Targets requested for other posters.
    private let popular = [
        RenderTarget(width: 92, format: .jpeg), RenderTarget(width: 154, format: .jpeg),
        RenderTarget(width: 185, format: .jpeg),
    ]

    private func fixture(
        threads: Int = 1, budget: Int = 8 << 20, clock: HeldLook = HeldLook(at: 0), seconds: ManualClock? = nil,
        cpuTime: @escaping @Sendable () -> UInt64 = { 0 },
        ladderAhead: LadderAheadLimits? = .init(cpuShare: 0.25, cacheShare: 0.1)
    ) -> PipelineFixture {
        let seconds = seconds ?? ManualClock()
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = .max
        let fixture = PipelineFixture(
            threads: threads, now: clock.now, failureClock: { seconds.now() }, limits: limits, cpuTime: cpuTime,
            planesBudget: budget, ladderAhead: ladderAhead)
        for target in self.popular {
            for key in ["thief", "collateral"] {
                if let id = try? PosterID(key: key) { fixture.pipeline.targets.note(target, of: id) }
            }
        }
        for key in ["heat", "ronin"] { fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: key) }
        return fixture
    }

    private func client(
        _ width: Int, of fixture: PipelineFixture, key: String = "heat", level: Urgency.Level = .interactive
    ) throws -> Task<Poster, any Error> {
        let request = try PipelineFixture.request(key, width: width)
        return Task { try PipelineFixture.variant(try await fixture.answer(request, level: level)).0 }
    }

    private func ended(_ fixture: PipelineFixture) async throws {
        try await eventually { fixture.pipeline.jobCount == 0 && fixture.threads.load == 0 }
        #expect(fixture.threads.usage.weight == 0)
    }

    private func count(_ event: PipelineCounters.Event, of fixture: PipelineFixture) -> Int {
        fixture.pipeline.counters.value(of: event)
    }

    /// The number of clock readings for the widest variant, without rendering ahead.
    private func looksOfTheFirst() async throws -> Int {
        let clock = HeldLook(at: 0)
        let fixture = self.fixture(clock: clock, ladderAhead: nil)
        _ = try await self.client(342, of: fixture).value
        try await self.ended(fixture)
        return clock.count
    }

    @Test("what is often requested of other posters is rendered after a client's variant, without a decode of its own")
    func rendersAhead() async throws {
        let fixture = self.fixture()
        _ = try await self.client(342, of: fixture).value
        try await self.ended(fixture)
        #expect(self.count(.ladderRendered, of: fixture) == 3 && fixture.variants.usage.count == 4)
        for target in self.popular {
            let request = PosterRequest(id: try PosterID(key: "heat"), rendition: .variant(target))
            let (poster, _) = try #require(try fixture.known(request))
            #expect(poster.size.width == target.width)
        }
        #expect(fixture.pipeline.status.decodes == 1 && self.count(.rendered, of: fixture) == 4)
    }

    @Test("nothing is rendered ahead for warm-ups, without planes, or when it is off")
    func off() async throws {
        let cases: [(Urgency.Level, Int, LadderAheadLimits?)] = [
            (.warming, 8 << 20, LadderAheadLimits()), (.interactive, 0, LadderAheadLimits()),
            (.interactive, 8 << 20, nil),
        ]
        for (level, budget, limits) in cases {
            let fixture = self.fixture(budget: budget, ladderAhead: limits)
            _ = try await self.client(342, of: fixture, level: level).value
            try await self.ended(fixture)
            #expect(fixture.variants.usage.count == 1 && self.count(.ladderRendered, of: fixture) == 0)
        }
    }

    @Test("a request for a variant that is being rendered ahead joins it")
    func joining() async throws {
        let clock = HeldLook(at: try await self.looksOfTheFirst() + 3)
        let fixture = self.fixture(clock: clock)
        _ = try await self.client(342, of: fixture).value
        try await clock.reached.wait()
        let client = try self.client(92, of: fixture)
        try await eventually { fixture.pipeline.renderWaiterCount == 1 }
        try await eventually { fixture.pipeline.scheduler.table.callerCount == 1 }
        clock.release.open()
        #expect(try await client.value.size.width == 92)
        try await self.ended(fixture)
        #expect(fixture.pipeline.status.decodes == 1 && fixture.pipeline.status.renders == 4)
        #expect(self.count(.ladderRendered, of: fixture) == 3 && self.count(.ladderUsed, of: fixture) == 1)
    }

    @Test("a client that joins and leaves does not end it")
    func joiningAndLeaving() async throws {
        let clock = HeldLook(at: try await self.looksOfTheFirst() + 3)
        let fixture = self.fixture(clock: clock)
        _ = try await self.client(342, of: fixture).value
        try await clock.reached.wait()
        let client = try self.client(92, of: fixture)
        try await eventually { fixture.pipeline.scheduler.table.callerCount == 1 }
        client.cancel()
        await #expect(throws: CancellationError.self) { try await client.value }
        clock.release.open()
        try await self.ended(fixture)
        #expect(self.count(.ladderRendered, of: fixture) == 3 && self.count(.dropped, of: fixture) == 0)
    }

    @Test("nothing more is rendered ahead when something waits for a thread")
    func givingWay() async throws {
        let clock = HeldLook(at: try await self.looksOfTheFirst() + 3)
        let fixture = self.fixture(clock: clock)
        _ = try await self.client(342, of: fixture).value
        try await clock.reached.wait()
        let other = try self.client(342, of: fixture, key: "ronin", level: .warming)
        try await eventually { fixture.threads.usage.waitingCount == 1 }
        clock.release.open()
        _ = try await other.value
        try await self.ended(fixture)
        #expect(self.count(.ladderRendered, of: fixture) == 1 && fixture.variants.usage.count == 3)
    }

    @Test("nothing is rendered ahead while all other threads are busy")
    func busy() async throws {
        let fixture = self.fixture(threads: 2)
        let (release, end) = try await fixture.occupyThread()
        _ = try await self.client(342, of: fixture).value
        try await eventually { fixture.threads.load == 1 }
        #expect(self.count(.ladderRendered, of: fixture) == 0)
        release.open()
        try await end.value
        try await self.ended(fixture)
    }

    @Test("a purge ends it, and leaves nothing of it")
    func purge() async throws {
        let clock = HeldLook(at: try await self.looksOfTheFirst() + 3)
        let fixture = self.fixture(clock: clock)
        _ = try await self.client(342, of: fixture).value
        try await clock.reached.wait()
        #expect(try await fixture.pipeline.purge(try PosterID(key: "heat")))
        clock.release.open()
        try await self.ended(fixture)
        #expect(self.count(.ladderRendered, of: fixture) == 1 && fixture.variants.usage.count == 0)
    }

    @Test("rendering ahead takes no more than its share of CPU time")
    func cpuShare() async throws {
        // Each reading adds a second of CPU time.
        let (seconds, looks) = (ManualClock(), PosterTesting.Counter())
        let fixture = self.fixture(
            seconds: seconds,
            cpuTime: {
                looks.increment()
                return UInt64(looks.value) * 1_000_000_000
            }, ladderAhead: .init(cpuShare: 0.5, cacheShare: 0.1))
        _ = try await self.client(342, of: fixture).value
        try await self.ended(fixture)
        #expect(self.count(.ladderRendered, of: fixture) == 1, "the first has used up the share")
        _ = try await self.client(300, of: fixture).value
        try await self.ended(fixture)
        #expect(self.count(.ladderRendered, of: fixture) == 1)
        seconds.advance(by: .seconds(3600))
        _ = try await self.client(301, of: fixture).value
        try await self.ended(fixture)
        #expect(self.count(.ladderRendered, of: fixture) == 2)
    }

    // MARK: The cache's share

    private func key(_ width: Int) throws -> VariantKey {
        let header = try inspect(TestPicture.jpeg(width: 400, height: 600).span.bytes, limits: .init())
        let facts = OriginalFacts(digest: Digest(of: "heat"), header: header)
        return try VariantKey(
            id: try PosterID(key: "heat"), facts: facts, target: RenderTarget(width: width, format: .jpeg))
    }

    @Test(
        "variants that were not used stay within their share of the cache, and those that were or that have gone are free"
    )
    func cacheShare() throws {
        let variants = VariantCache(byteBudget: 1 << 20)
        let counters = PipelineFixture().pipeline.counters
        let ahead = LadderAhead(
            limits: .init(cpuShare: 1, cacheShare: 0.01), variants: variants, threadCount: 1, counters: counters,
            now: { 0 })
        func insert(_ width: Int) throws -> VariantKey {
            let key = try self.key(width)
            let poster = Poster(
                bytes: ByteBuffer(repeating: 1, count: 4096), entityTag: key.entityTag(), format: .jpeg,
                size: key.framing.size)
            #expect(variants.insert(poster, for: key))
            ahead.note(key, byteCount: 4096, wasAwaited: false)
            return key
        }
        let first = try insert(100)
        #expect(ahead.isAllowed())
        for width in [101, 102] { _ = try insert(width) }
        #expect(!ahead.isAllowed() && ahead.unusedBytes == 3 * 4096)
        #expect(variants.poster(for: first) != nil)
        #expect(ahead.isAllowed() && ahead.unusedBytes == 2 * 4096 && counters.value(of: .ladderUsed) == 1)
        _ = try insert(103)
        #expect(!ahead.isAllowed())
        variants.removeAll(of: first.id)
        #expect(ahead.isAllowed() && ahead.unusedBytes == 0 && counters.value(of: .ladderUsed) == 1)
    }
}

import Flights
import HTTPSemantics
import Logging
import NIOCore
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct ReencoderTests {
    /// Sleeps that end when the test ends them.
    final class Waits: Sendable {
        private let durations = AwaitedState<[Duration]>([])
        private let gates = AwaitedState<[Gate]>([])

        func sleep(_ duration: Duration) async throws {
            let gate = Gate()
            self.gates.change { $0.append(gate) }
            self.durations.change { $0.append(duration) }
            try await gate.wait()
        }

        /// The durations of all sleeps that have begun.
        var all: [Duration] { self.durations.value }

        func begun(_ count: Int = 1) async throws {
            try await self.durations.wait { $0.count >= count }
        }

        func end() {
            for gate in self.gates.change({ gates in
                defer { gates = [] }
                return gates
            }) { gate.open() }
        }
    }

    static let width = 342

    /// Variants are re-encoded at the first use after the request that they were rendered for.
    static let usedAgain = {
        var limits = ReencodingLimits()
        limits.uses = 2
        return limits
    }()

    func fixture(
        _ limits: ReencodingLimits? = Self.usedAgain, threads: Int = 1, looks: HeldLook = HeldLook(at: 0),
        clock: ManualClock = ManualClock(), cpuTime: @escaping @Sendable () -> UInt64 = { 0 }, waits: Waits = Waits(),
        planesBudget: Int = 8 << 20, store: (any OriginalStore)? = nil, byteBudget: Int = 64 << 20,
        logger: Logger? = nil
    ) -> PipelineFixture {
        var codecLimits = CodecLimits()
        codecLimits.maxCPUNanoseconds = .max
        let fixture = PipelineFixture(
            store: store, byteBudget: byteBudget, threads: threads, now: looks.now, failureClock: { clock.now() },
            limits: codecLimits, cpuTime: cpuTime,
            planesBudget: planesBudget, reencoding: limits, logger: logger, sleep: waits.sleep)
        for (seed, key) in ["heat", "ronin"].enumerated() {
            fixture.source.set(TestPicture.jpeg(width: 400, height: 600, seed: UInt64(seed + 1)), for: key)
        }
        return fixture
    }

    func request(
        _ format: OutputFormat = .jpeg, preferred: OutputFormat? = nil, key: String = "heat", width: Int = Self.width
    ) throws -> PosterRequest {
        PosterRequest(
            id: try PosterID(key: key), rendition: .variant(RenderTarget(width: width, format: format)),
            preferred: preferred.map { RenderTarget(width: width, format: $0) })
    }

    func key(_ request: PosterRequest, of fixture: PipelineFixture, _ target: RenderTarget? = nil) throws
        -> VariantKey
    {
        let facts = try #require(fixture.pipeline.library.metadata.entry(for: request.id)?.facts)
        guard case .variant(let own) = request.rendition else { throw PosterError.badOriginal(reason: "an original") }
        return try VariantKey(id: request.id, facts: facts, target: target ?? own)
    }

    func status(_ fixture: PipelineFixture) throws -> ReencodingStatus {
        try #require(fixture.pipeline.status.reencoding)
    }

    /// Renders a variant, and returns once all threads are idle.
    @discardableResult
    func render(_ request: PosterRequest, of fixture: PipelineFixture) async throws -> (Poster, Provenance) {
        let rendered = try PipelineFixture.variant(try await fixture.answer(request))
        try await eventually { fixture.threads.load == 0 && fixture.pipeline.jobCount == 0 }
        return rendered
    }

    /// Returns once no re-encoding waits or runs.
    func ended(_ fixture: PipelineFixture, ending waits: Waits? = nil) async throws {
        try await eventually {
            waits?.end()
            let status = try self.status(fixture)
            return status.waiting == 0 && status.running == 0
        }
        #expect(fixture.threads.usage.weight == 0)
    }

    /// Replaces a variant by one of many bytes, so that every encoding is smaller.
    func enlarge(_ request: PosterRequest, of fixture: PipelineFixture, to count: Int = 1 << 20) throws {
        let key = try self.key(request, of: fixture)
        let poster = Poster(
            bytes: ByteBuffer(repeating: 1, count: count), entityTag: key.entityTag(), format: key.format,
            size: key.framing.size)
        #expect(fixture.variants.insert(poster, for: key))
    }

    func count(_ status: ReencodingStatus, _ format: OutputFormat) -> Int {
        status.formats.first { $0.format == format }?.count ?? 0
    }

    // MARK: What is encoded again

    @Test("a variant that is used again is encoded again, in fewer bytes and under another tag", arguments: [2, 4])
    func refines(uses: Int) async throws {
        var limits = ReencodingLimits()
        limits.uses = uses
        let fixture = self.fixture(limits)
        let request = try self.request()
        let (first, _) = try await self.render(request, of: fixture)
        #expect(first.encoding == .first)
        for _ in 2..<uses {
            _ = try fixture.known(request)
            #expect(try self.status(fixture) == ReencodingStatus())
        }
        #expect(try fixture.known(request)?.0.entityTag == first.entityTag)
        try await self.ended(fixture)
        let (second, provenance) = try #require(try fixture.known(request))
        #expect(second.encoding == .refined && second.entityTag != first.entityTag && second.size == first.size)
        #expect(second.bytes.readableBytes < first.bytes.readableBytes && !provenance.isProvisional)
        let status = try self.status(fixture)
        #expect(self.count(status, .jpeg) == 1)
        #expect(status.formats.map(\.savedBytes).max() == first.bytes.readableBytes - second.bytes.readableBytes)
        #expect(fixture.pipeline.status.decodes == 1, "it was made of planes")
        for _ in 0..<20 { _ = try fixture.known(request) }
        try await self.ended(fixture)
        #expect(try self.status(fixture) == status, "it is not encoded a third time")
    }

    @Test("a client that has the first encoding is not sent the second one")
    func bothTags() async throws {
        let fixture = self.fixture()
        let request = try self.request()
        let (first, _) = try await self.render(request, of: fixture)
        _ = try fixture.known(request)
        try await self.ended(fixture)
        let (second, _) = try #require(try fixture.known(request))
        for tag in [first.entityTag, second.entityTag] {
            let query = PosterQuery(request, conditions: PipelineFixture.holding(tag))
            guard case .notModified(tag, _)? = try fixture.pipeline.cachedResponse(to: query) else {
                Issue.record("sent again")
                continue
            }
            guard case .notModified(tag, _) = try await fixture.answer(request, holding: tag) else {
                Issue.record("sent again on the slow path")
                continue
            }
        }
    }

    @Test("AVIF takes the place of a variant for clients that prefer it, which is provisional until then")
    func makesAVIF() async throws {
        let fixture = self.fixture(planesBudget: 0)
        let (modern, old) = (try self.request(.webp, preferred: .avif), try self.request(.webp))
        let (first, provenance) = try await self.render(modern, of: fixture)
        #expect(first.format == .webp && provenance.isProvisional)
        try self.enlarge(modern, of: fixture)
        let (again, known) = try #require(try fixture.known(modern))
        #expect(again.format == .webp && known.isProvisional && known.isStored)
        try await self.ended(fixture)
        let (avif, final) = try #require(try fixture.known(modern))
        #expect(avif.format == .avif && avif.encoding == .refined && !final.isProvisional)
        #expect(try fixture.known(old)?.0.format == .webp && fixture.source.fetchCount(of: "heat") == 1)
        #expect(self.count(try self.status(fixture), .avif) == 1)
        guard case .variant(let slow, _) = try await fixture.answer(modern, holding: first.entityTag) else {
            Issue.record("a client with WebP is sent AVIF")
            return
        }
        #expect(slow.entityTag == avif.entityTag)
    }

    @Test("a client that has AVIF keeps it when the cache has lost it, and one with WebP is revalidated provisionally")
    func tagsOfBothFormats() async throws {
        var limits = ReencodingLimits()
        limits.uses = 255
        let fixture = self.fixture(limits)
        let request = try self.request(.webp, preferred: .avif)
        let (webp, _) = try PipelineFixture.variant(try await fixture.answer(request))
        let avif = try self.key(request, of: fixture, request.preferred).entityTag(.own, .refined)
        guard case .notModified(avif, let final) = try await fixture.answer(request, holding: avif),
            case .notModified(webp.entityTag, let provisional) = try await fixture.answer(
                request, holding: webp.entityTag)
        else {
            Issue.record("sent again")
            return
        }
        #expect(!final.isProvisional && provisional.isProvisional)
    }

    @Test("a variant that clients only revalidate, and that memory has not, becomes AVIF, too")
    func revalidated() async throws {
        var limits = ReencodingLimits()
        limits.uses = 2
        let fixture = self.fixture(limits)
        let request = try self.request(.png, preferred: .avif)
        let (first, _) = try await self.render(request, of: fixture)
        fixture.variants.removeAll(of: request.id)
        for _ in 0..<2 {
            let query = PosterQuery(request, conditions: PipelineFixture.holding(first.entityTag))
            guard case .notModified(first.entityTag, _)? = try fixture.pipeline.cachedResponse(to: query) else {
                Issue.record("sent again")
                return
            }
        }
        try await self.ended(fixture)
        #expect(try fixture.known(request)?.0.format == .avif && fixture.variants.usage.count == 1)
    }

    @Test("an encoding that is not smaller is not used, and not made again")
    func declines() async throws {
        let fixture = self.fixture()
        let request = try self.request(.webp, preferred: .avif)
        try await self.render(request, of: fixture)
        try self.enlarge(request, of: fixture, to: 10)
        #expect(try fixture.known(request)?.1.isProvisional == true)
        try await self.ended(fixture)
        let (poster, provenance) = try #require(try fixture.known(request))
        #expect(poster.format == .webp && !provenance.isProvisional)
        for _ in 0..<20 { _ = try fixture.known(request) }
        try await self.ended(fixture)
        let status = try self.status(fixture)
        #expect(status.formats.first { $0.format == .avif }?.declined == 1)
        #expect(status.formats.allSatisfy { $0.count == 0 })
    }

    @Test("AVIF that was larger than a first WebP is encoded again when the corrected WebP is larger")
    func triesAgain() async throws {
        let fixture = self.fixture()
        let targets = [OutputFormat.webp, .avif].map {
            RenderTarget(width: Self.width, format: $0, quality: .likeness(.auto))
        }
        let request = PosterRequest(
            id: try PosterID(key: "heat"), rendition: .variant(targets[0]), preferred: targets[1])
        try await self.render(request, of: fixture)
        try self.enlarge(request, of: fixture, to: 10)
        _ = try fixture.known(request)
        try await self.ended(fixture)
        #expect(try self.status(fixture).formats.first { $0.format == .avif }?.declined == 1)
        // The third and the fourth use, which counts.
        for _ in 0..<2 { #expect(try fixture.known(request)?.1.isProvisional == false) }
        try await self.ended(fixture)
        #expect(self.count(try self.status(fixture), .webp) == 1, "WebP is corrected")
        let (webp, provenance) = try #require(try fixture.known(request))
        #expect(webp.format == .webp && webp.encoding == .refined && provenance.isProvisional)
        for _ in 0..<2 { _ = try fixture.known(request) }
        try await self.ended(fixture)
        #expect(try fixture.known(request)?.0.format == .avif && self.count(try self.status(fixture), .avif) == 1)
    }

    @Test(
        "an encoding with a measured likeness replaces a smaller first one; others do not",
        arguments: [(Quality.likeness(.auto), 342, true), (.likeness(.auto), 80, false), (.fixed(80), 342, false)])
    func replacesByLikeness(quality: Quality, width: Int, isReplaced: Bool) async throws {
        let fixture = self.fixture()
        let target = RenderTarget(width: width, format: .jpeg, quality: quality)
        let request = PosterRequest(id: try PosterID(key: "heat"), rendition: .variant(target))
        try await self.render(request, of: fixture)
        try self.enlarge(request, of: fixture, to: 10)
        _ = try fixture.known(request)
        try await self.ended(fixture)
        let (poster, _) = try #require(try fixture.known(request))
        #expect(poster.encoding == (isReplaced ? .refined : .first))
        #expect((poster.bytes.readableBytes > 10) == isReplaced)
        let jpeg = try #require(try self.status(fixture).formats.first { $0.format == .jpeg })
        #expect(jpeg.count == (isReplaced ? 1 : 0) && jpeg.declined == (isReplaced ? 0 : 1))
        #expect(jpeg.savedBytes == 0, "a counter")
    }

    @Test("nothing is awaited of pictures that are too large for AVIF, and PNG is encoded once")
    func exceptions() async throws {
        let fixture = self.fixture()
        fixture.source.set(TestPicture.jpeg(width: 1200, height: 1200), for: "large")
        let large = try self.request(.jpeg, preferred: .avif, key: "large", width: 1200)
        #expect(try PipelineFixture.variant(try await fixture.answer(large)).1.isProvisional == false)
        let png = try self.request(.png)
        try await self.render(png, of: fixture)
        for _ in 0..<4 { _ = try fixture.known(png) }
        try await self.ended(fixture)
        #expect(try self.status(fixture) == ReencodingStatus())
    }

    @Test("without it nothing is provisional or encoded again, and an AVIF that is there is sent")
    func off() async throws {
        let fixture = self.fixture(nil)
        let request = try self.request(.webp, preferred: .avif)
        #expect(try PipelineFixture.variant(try await fixture.answer(request)).1.isProvisional == false)
        #expect(fixture.pipeline.status.reencoding == nil)
        try self.enlarge(request, of: fixture)
        _ = try await fixture.answer(try self.request(.avif))
        #expect(try fixture.known(request)?.0.format == .avif)
        guard case .variant(let poster, _) = try await fixture.answer(request) else {
            Issue.record("no variant")
            return
        }
        #expect(poster.format == .avif && poster.encoding == .first)
    }

    // MARK: When

    @Test("nothing begins while all codec threads are busy")
    func busy() async throws {
        let waits = Waits()
        let fixture = self.fixture(waits: waits)
        let request = try self.request()
        try await self.render(request, of: fixture)
        let (release, end) = try await fixture.occupyThread()
        _ = try fixture.known(request)
        try await eventually { fixture.threads.usage.watching == 1 }
        #expect(try self.status(fixture).waiting == 1)
        #expect(try self.status(fixture).running == 0)
        release.open()
        try await end.value
        try await self.ended(fixture)
        #expect(self.count(try self.status(fixture), .jpeg) == 1 && waits.all == [])
    }

    /// The number of clock readings of a render without re-encoding.
    private func looksOfARender() async throws -> Int {
        let looks = HeldLook(at: 0)
        _ = try await self.fixture(nil, looks: looks).answer(try self.request())
        return looks.count
    }

    @Test("what runs gives way to a request that needs its thread, rests, and is made later")
    func givesWay() async throws {
        let (looks, waits, clock) = (HeldLook(at: try await self.looksOfARender() + 3), Waits(), ManualClock())
        let fixture = self.fixture(looks: looks, clock: clock, waits: waits)
        let request = try self.request()
        try await self.render(request, of: fixture)
        _ = try fixture.known(request)
        try await looks.reached.wait()
        let (release, end) = try await fixture.occupyThread()
        let other = try self.request(key: "ronin")
        let client = Task { try await fixture.answer(other) }
        try await eventually { fixture.threads.usage.waitingCount == 1 }
        looks.release.open()
        try await waits.begun()
        #expect(try self.status(fixture).cancelled == 1)
        #expect(try self.status(fixture).waiting == 1)
        #expect(waits.all == [.nanoseconds(Int64(Reencoder.restNanoseconds))])
        release.open()
        try await end.value
        _ = try await client.value
        clock.advance(by: .seconds(2))
        try await self.ended(fixture, ending: waits)
        #expect(self.count(try self.status(fixture), .jpeg) == 1)
        #expect(try fixture.known(request)?.0.encoding == .refined)
    }

    @Test("encoding again takes no more than its share of CPU time")
    func cpuShare() async throws {
        // Each reading adds ten seconds of CPU time.
        let (waits, clock, looks) = (Waits(), ManualClock(), PosterTesting.Counter())
        var limits = Self.usedAgain
        limits.cpuShare = 0.5
        let fixture = self.fixture(
            limits, clock: clock,
            cpuTime: {
                looks.increment()
                return UInt64(looks.value) * 10_000_000_000
            }, waits: waits)
        let requests = try [self.request(), self.request(width: 92)]
        for request in requests { try await self.render(request, of: fixture) }
        for request in requests { _ = try fixture.known(request) }
        try await waits.begun()
        #expect(try self.status(fixture).waiting == 1)
        #expect(self.count(try self.status(fixture), .jpeg) == 1)
        #expect(try self.status(fixture).cpuNanoseconds > 0)
        clock.advance(by: .seconds(100_000))
        try await self.ended(fixture, ending: waits)
        #expect(self.count(try self.status(fixture), .jpeg) == 2)
    }

    // MARK: Originals that go

    @Test("a purge ends it, and leaves nothing of it")
    func purge() async throws {
        let looks = HeldLook(at: try await self.looksOfARender() + 3)
        let fixture = self.fixture(looks: looks)
        let request = try self.request()
        try await self.render(request, of: fixture)
        _ = try fixture.known(request)
        try await looks.reached.wait()
        #expect(try await fixture.pipeline.purge(request.id))
        looks.release.open()
        try await self.ended(fixture)
        #expect(fixture.variants.usage.count == 0 && fixture.variants.count(of: request.id) == 0)
        #expect(try self.status(fixture).dropped == 1)
    }

    @Test("nothing is fetched for it: what is not on disk any more is left as it is")
    func fetchesNothing() async throws {
        let fixture = self.fixture(planesBudget: 0)
        let request = try self.request()
        try await self.render(request, of: fixture)
        #expect(try await fixture.store.purge(request.id))
        _ = try fixture.known(request)
        try await self.ended(fixture)
        #expect(try self.status(fixture).dropped == 1 && fixture.source.fetchCount(of: "heat") == 1)
        #expect(try fixture.known(request)?.0.encoding == .first)
    }

    @Test("a variant that has gone while it waited is not made")
    func evicted() async throws {
        let fixture = self.fixture()
        let request = try self.request()
        try await self.render(request, of: fixture)
        let (release, end) = try await fixture.occupyThread()
        _ = try fixture.known(request)
        try await eventually { fixture.threads.usage.watching == 1 }
        fixture.variants.removeAll(of: request.id)
        release.open()
        try await end.value
        try await self.ended(fixture)
        #expect(try self.status(fixture).dropped == 1 && fixture.variants.usage.count == 0)
    }

    @Test("it stops with the service, in the middle of an encoding and while it waits")
    func closing() async throws {
        let looks = HeldLook(at: try await self.looksOfARender() + 3)
        let fixture = self.fixture(looks: looks)
        let request = try self.request()
        try await self.render(request, of: fixture)
        _ = try fixture.known(request)
        try await looks.reached.wait()
        fixture.pipeline.close()
        looks.release.open()
        try await self.ended(fixture)
        #expect(try fixture.known(request)?.0.encoding == .first)
        #expect(try self.status(fixture).cancelled == 1)

        let waiting = self.fixture()
        try await self.render(request, of: waiting)
        let (release, end) = try await waiting.occupyThread()
        _ = try waiting.known(request)
        try await eventually { waiting.threads.usage.watching == 1 }
        waiting.pipeline.close()
        try await eventually { waiting.threads.usage.watching == 0 }
        try await self.ended(waiting)
        release.open()
        try await end.value
    }
}

import Flights
import HTTPSemantics
import NIOCore
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

/// Requests that prefer a format with a variant in the variant store, but not in memory.
@Suite(.timeLimit(.hang))
struct StoredPreferenceTests {
    private static let width = 342

    private let store = MemoryVariantStore()
    private let originals = MemoryOriginalStore()
    private let avif: PosterRequest
    private let webp: PosterRequest
    private let jpeg: PosterRequest
    /// WebP, or AVIF once that is available.
    private let modern: PosterRequest

    init() throws {
        self.avif = try PipelineFixture.request("heat", width: Self.width, format: .avif)
        self.webp = try PipelineFixture.request("heat", width: Self.width, format: .webp)
        self.jpeg = try PipelineFixture.request("heat", width: Self.width, format: .jpeg)
        self.modern = PosterRequest(
            id: self.webp.id, rendition: self.webp.rendition,
            preferred: RenderTarget(width: Self.width, format: .avif))
    }

    /// The response that a variant is rendered for is a use of it; the next one is the second.
    private static var secondUse: ReencodingLimits {
        var limits = ReencodingLimits()
        limits.uses = 2
        return limits
    }

    /// A pipeline with empty memory, as after a start; originals and stored variants stay. Its pauses while it waits
    /// for idle threads only advance the clock.
    private func fixture(reencoding: ReencodingLimits? = nil, leastCPUNanoseconds: UInt64 = 0) -> PipelineFixture {
        let clock = ManualClock()
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = .max
        let fixture = PipelineFixture(
            store: self.originals, failureClock: clock.now, limits: limits,
            planesBudget: reencoding == nil ? 0 : 8 << 20, variantStore: self.store,
            leastCPUNanoseconds: leastCPUNanoseconds, reencoding: reencoding, sleep: { clock.advance(by: $0) })
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        return fixture
    }

    /// Renders an AVIF in a separate pipeline.
    private func storedAVIF() async throws -> Poster {
        let (poster, _) = try PipelineFixture.variant(try await self.fixture().answer(self.avif))
        #expect(self.store.count == 1)
        return poster
    }

    @Test func afterAStartAStoredAVIFIsServedToThoseWhoPreferIt() async throws {
        let stored = try await self.storedAVIF()
        let fixture = self.fixture()
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(self.modern))
        #expect(poster.format == .avif && poster.bytes == stored.bytes && poster.entityTag == stored.entityTag)
        #expect(provenance.wasStored && provenance.isStored && !provenance.isProvisional)
        #expect(fixture.pipeline.status.renders == 0)
        let (again, known) = try #require(try fixture.known(self.modern))
        #expect(again.entityTag == stored.entityTag && known.reach == .cache && self.store.lookupCount == 1)
    }

    @Test func aStoredAVIFComesBeforeAWebPInMemory() async throws {
        let stored = try await self.storedAVIF()
        let fixture = self.fixture()
        try await self.renderWebP(in: fixture)
        #expect(try fixture.known(self.modern) == nil, "it is read first")
        #expect(try #require(try fixture.known(self.webp)).0.format == .webp)
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(self.modern))
        #expect(poster.entityTag == stored.entityTag && provenance.wasStored)
        #expect(fixture.pipeline.counters.value(of: .originalHit) == 1, "the original was not looked up again")
        #expect(try #require(try fixture.known(self.modern)).0.format == .avif)
    }

    @Test func withoutAStoredAVIFAWebPInMemoryIsServedWithoutARead() async throws {
        let fixture = self.fixture()
        _ = try await fixture.answer(self.modern)
        #expect(try #require(try fixture.known(self.modern)).0.format == .webp)
        #expect(try PipelineFixture.variant(try await fixture.answer(self.modern)).0.format == .webp)
        #expect(self.store.lookupCount == 0)
    }

    @Test func aClientThatHasTheStoredAVIFIsNotSentItAndNothingIsRead() async throws {
        let tag = try await self.storedAVIF().entityTag
        let fixture = self.fixture()
        let query = PosterQuery(self.modern, conditions: PipelineFixture.holding(tag))
        guard case .notModified(tag, let first) = try await fixture.answer(self.modern, holding: tag),
            case .notModified(tag, let second)? = try fixture.pipeline.cachedResponse(to: query)
        else {
            Issue.record("sent again")
            return
        }
        #expect(!first.isProvisional && !second.isProvisional && self.store.lookupCount == 0)
    }

    @Test func aClientThatHasTheWebPIsSentTheStoredAVIF() async throws {
        let stored = try await self.storedAVIF()
        let fixture = self.fixture()
        let tag = try await self.renderWebP(in: fixture)
        let query = PosterQuery(self.modern, conditions: PipelineFixture.holding(tag))
        #expect(try fixture.pipeline.cachedResponse(to: query) == nil)
        guard case .variant(let poster, _) = try await fixture.answer(self.modern, holding: tag) else {
            Issue.record("no variant")
            return
        }
        #expect(poster.entityTag == stored.entityTag)
    }

    @Test func whenAStoredAVIFCannotBeReadTheWebPInMemoryIsServed() async throws {
        _ = try await self.storedAVIF()
        let fixture = self.fixture()
        _ = try await fixture.answer(self.webp)
        self.store.vanish()
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(self.modern))
        #expect(poster.format == .webp && provenance.reach == .cache && fixture.pipeline.status.renders == 1)
    }

    @Test func aStoredAVIFThatIsNoSmallerThanTheWebPInMemoryIsNotSent() async throws {
        _ = try await self.storedAVIF()
        let fixture = self.fixture()
        let webp = try await self.renderWebP(in: fixture, byteCount: 1)
        for _ in 0..<2 {
            #expect(try PipelineFixture.variant(try await fixture.answer(self.modern)).0.entityTag == webp)
        }
        #expect(try #require(try fixture.known(self.modern)).0.entityTag == webp)
        #expect(self.store.lookupCount == 1)
    }

    @Test func whileTheOriginalIsStaleMemoryServesAtOnce() async throws {
        _ = try await self.storedAVIF()
        let fixture = self.fixture()
        _ = try await fixture.answer(self.webp)
        let gate = Gate()
        fixture.source.hold(gate, for: "heat")
        fixture.day.advance(by: .seconds(7 * 86_400))
        let (poster, provenance) = try #require(try fixture.known(self.modern))
        #expect(poster.format == .webp && provenance.staleness != nil)
        gate.open()
    }

    @Test func equalRequestsShareOneReadOfTheAVIF() async throws {
        let stored = try await self.storedAVIF()
        let (fixture, gate) = (self.fixture(), Gate())
        try await self.renderWebP(in: fixture)
        self.store.hold(gate)
        let clients = (0..<5).map { _ in Task { try await fixture.answer(self.modern) } }
        try await eventually { fixture.pipeline.stored?.readerCount == 5 }
        gate.open()
        for client in clients {
            #expect(try PipelineFixture.variant(try await client.value).0.entityTag == stored.entityTag)
        }
        #expect(self.store.lookupCount == 1)
    }

    @Test func whatIsEncodedAgainIsStoredInPlaceOfTheFirstEncodingAndServedAfterAStart() async throws {
        let fixture = self.fixture(reencoding: Self.secondUse)
        let (first, _) = try PipelineFixture.variant(try await fixture.answer(self.jpeg))
        #expect(self.store.variants.values.map(\.encoding) == [.first])
        try await self.use(self.jpeg, of: fixture)
        let refined = try #require(self.store.variants.first?.value)
        #expect(refined.encoding == .refined && refined.poster.entityTag != first.entityTag && self.store.count == 1)

        let modern = PosterRequest(
            id: self.jpeg.id, rendition: self.jpeg.rendition, preferred: self.modern.preferred)
        try self.resize(try #require(self.store.variants.first?.key), of: fixture, to: 1 << 20)
        try await self.use(modern, of: fixture)
        let (avif, _) = try #require(try fixture.known(modern))
        #expect(avif.format == .avif && self.store.count == 2)

        let later = self.fixture(reencoding: Self.secondUse)
        #expect(try PipelineFixture.variant(try await later.answer(modern)).0.entityTag == avif.entityTag)
        let (jpeg, _) = try PipelineFixture.variant(try await later.answer(self.jpeg))
        #expect(jpeg.entityTag == refined.poster.entityTag && jpeg.encoding == .refined)
        for request in [self.jpeg, modern] { try await self.use(request, of: later) }
        #expect(try #require(later.pipeline.status.reencoding).formats.allSatisfy { $0.count == 0 })
        #expect(later.pipeline.status.renders == 0)
    }

    @Test func anEncodingThatTookLittleTimeIsStoredOnlyInPlaceOfAStoredOne() async throws {
        let fixture = self.fixture(reencoding: Self.secondUse, leastCPUNanoseconds: .max)
        _ = try await fixture.answer(self.jpeg)
        try await self.use(self.jpeg, of: fixture)
        #expect(self.store.count == 0)
        _ = try await self.fixture().answer(self.jpeg)
        fixture.variants.removeAll(of: self.jpeg.id)
        _ = try await fixture.answer(self.jpeg)
        try await self.use(self.jpeg, of: fixture)
        #expect(self.store.variants.values.map(\.encoding) == [.refined])
    }

    /// Renders the WebP, and replaces its bytes in memory.
    /// - Returns: Its tag.
    @discardableResult
    private func renderWebP(in fixture: PipelineFixture, byteCount: Int = 1 << 20) async throws -> EntityTag {
        let (poster, _) = try PipelineFixture.variant(try await fixture.answer(self.webp))
        let key = try #require(self.store.variants.first { $0.value.poster.entityTag == poster.entityTag }?.key)
        try self.resize(key, of: fixture, to: byteCount)
        return poster.entityTag
    }

    /// Replaces a variant in memory by one of `byteCount` bytes.
    private func resize(_ key: VariantKey, of fixture: PipelineFixture, to byteCount: Int) throws {
        let poster = Poster(
            bytes: ByteBuffer(repeating: 1, count: byteCount), entityTag: key.entityTag(), format: key.format,
            size: key.framing.size)
        #expect(fixture.variants.insert(poster, for: key))
    }

    /// Serves a variant from memory, and returns once no re-encoding waits or runs.
    private func use(_ request: PosterRequest, of fixture: PipelineFixture) async throws {
        try await eventually { fixture.threads.load == 0 && fixture.pipeline.jobCount == 0 }
        _ = try fixture.known(request)
        try await eventually {
            let status = try #require(fixture.pipeline.status.reencoding)
            return status.waiting == 0 && status.running == 0
        }
    }
}

import Flights
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct VariantStoreTests {
    private let store = MemoryVariantStore()
    private let originals = MemoryOriginalStore()
    private let picture = TestPicture.jpeg(width: 60, height: 90)
    private let wide: PosterRequest
    private let narrow: PosterRequest

    init() throws {
        self.wide = try PipelineFixture.request("heat", width: 50)
        self.narrow = try PipelineFixture.request("heat", width: 40)
    }

    /// A pipeline with empty memory, as after a start; originals and stored variants stay.
    private func fixture(leastCPUNanoseconds: UInt64 = 0, freshness: FreshnessPolicy = .init()) -> PipelineFixture {
        let fixture = PipelineFixture(
            store: self.originals, freshness: freshness, variantStore: self.store,
            leastCPUNanoseconds: leastCPUNanoseconds)
        fixture.source.set(self.picture, for: "heat")
        return fixture
    }

    @Test func theMemoryStoreKeepsTheContract() async throws {
        let broken = try await checkContract(of: MemoryVariantStore())
        #expect(broken == [])
    }

    @Test func onlyWhatTookMuchTimeIsStored() async throws {
        let cheap = self.fixture(leastCPUNanoseconds: .max)
        _ = try await cheap.answer(self.wide)
        #expect(self.store.count == 0)
        _ = try await self.fixture().answer(self.wide)
        #expect(self.store.count == 1)
        let stored = try #require(self.store.variants.first?.value)
        #expect(stored.cpuNanoseconds > 0 && stored.encoding == .first)
    }

    @Test func afterAStartAStoredVariantIsServedWithoutADecode() async throws {
        let (rendered, _) = try PipelineFixture.variant(try await self.fixture().answer(self.wide))
        let fixture = self.fixture()
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(self.wide))
        #expect(poster.bytes == rendered.bytes && poster.entityTag == rendered.entityTag)
        #expect(provenance.reach == .disk && provenance.wasStored && provenance.isStored)
        #expect(provenance.timings == PosterTimings())
        let status = fixture.pipeline.status
        #expect(status.decodes == 0 && status.renders == 0)
        #expect(fixture.pipeline.counters.value(of: .storedHit) == 1)
        let (known, again) = try #require(try fixture.known(self.wide))
        #expect(known.entityTag == rendered.entityTag && again.reach == .cache, "it is in memory now")
        #expect(self.store.lookupCount == 1)
    }

    @Test func whatIsNotThereCostsNoRead() async throws {
        let fixture = self.fixture()
        for request in [self.wide, self.narrow] { _ = try await fixture.answer(request) }
        #expect(self.store.lookupCount == 0 && self.store.count == 2)
        #expect(fixture.pipeline.counters.value(of: .storedMiss) == 2)
    }

    @Test func whatNodesShareIsReadBeforeARenderAndForNoHit() async throws {
        let shared = MemoryVariantStore(hasIndex: false)
        let (here, there) = (MemoryVariantStore(), MemoryVariantStore())
        func node(_ disk: MemoryVariantStore) -> PipelineFixture {
            let fixture = PipelineFixture(
                store: MemoryOriginalStore(), variantStore: LayeredVariantStore(near: disk, shared: shared),
                leastCPUNanoseconds: 0)
            fixture.source.set(self.picture, for: "heat")
            return fixture
        }
        let (rendered, _) = try PipelineFixture.variant(try await node(here).answer(self.wide))
        #expect(shared.lookupCount == 1 && shared.count == 1 && here.count == 1)
        let second = node(there)
        let (poster, _) = try PipelineFixture.variant(try await second.answer(self.wide))
        #expect(poster.bytes == rendered.bytes && poster.entityTag == rendered.entityTag)
        #expect(second.pipeline.status.renders == 0)
        #expect(there.count == 1, "it is on this node's disk now")
        _ = try await second.answer(self.wide)
        #expect(shared.lookupCount == 2, "hits in memory ask nothing")
        _ = try await node(there).answer(self.wide)
        #expect(shared.lookupCount == 2, "what this node has is not asked for elsewhere")
        await LayeredVariantStore(near: there, shared: shared).removeAll(of: try PosterID("films:heat"))
        #expect(there.removals.count == 1 && shared.removals == there.removals)
    }

    @Test func equalRequestsShareOneRead() async throws {
        _ = try await self.fixture().answer(self.wide)
        let (fixture, gate) = (self.fixture(), Gate())
        self.store.hold(gate)
        let clients = (0..<5).map { _ in Task { try await fixture.answer(self.wide) } }
        try await self.store.lookupsArrived(1)
        try await eventually { fixture.pipeline.renderWaiterCount == 5 }
        gate.open()
        for client in clients { _ = try PipelineFixture.variant(try await client.value) }
        #expect(self.store.lookupCount == 1 && fixture.pipeline.status.decodes == 0)
    }

    @Test func aClientThatLeavesDuringAReadEndsIt() async throws {
        _ = try await self.fixture().answer(self.wide)
        let (fixture, gate) = (self.fixture(), Gate())
        self.store.hold(gate)
        let client = Task { try await fixture.answer(self.wide) }
        try await self.store.lookupsArrived(1)
        client.cancel()
        await #expect(throws: CancellationError.self) { try await client.value }
        try await eventually { gate.waiterCount == 0 && fixture.pipeline.renderWaiterCount == 0 }
        #expect(fixture.pipeline.status.decodes == 0)
    }

    @Test func aVariantOfAReplacedOriginalIsNeverServedAndIsRemoved() async throws {
        var freshness = FreshnessPolicy()
        (freshness.minimum, freshness.fallback, freshness.maximum, freshness.staleIfError) = (1, 1, 1, 0)
        let fixture = self.fixture(freshness: freshness)
        let (old, _) = try PipelineFixture.variant(try await fixture.answer(self.wide))
        let before = try #require(self.store.variants.keys.first)
        fixture.source.set(TestPicture.jpeg(width: 60, height: 90, seed: 2), for: "heat")
        fixture.day.advance(by: .seconds(10))
        let (new, provenance) = try PipelineFixture.variant(try await fixture.answer(self.wide))
        #expect(new.entityTag != old.entityTag && new.bytes != old.bytes && !provenance.wasStored)
        #expect(self.store.removals == ["\(before.id) \(before.digest)"])
        #expect(self.store.count == 1 && self.store.variants[before] == nil)
    }

    @Test func aPurgeRemovesStoredVariantsAndWhatIsJustReadIsNotKept() async throws {
        _ = try await self.fixture().answer(self.wide)
        let (fixture, gate) = (self.fixture(), Gate())
        self.store.hold(gate)
        let client = Task { try await fixture.answer(self.wide) }
        try await self.store.lookupsArrived(1)
        #expect(try await fixture.pipeline.purge(self.wide.id))
        #expect(self.store.count == 0 && self.store.removals.last == "\(self.wide.id)")
        gate.open()
        let (_, provenance) = try PipelineFixture.variant(try await client.value)
        #expect(!provenance.isStored, "the request under way is answered")
        #expect(fixture.variants.count(of: self.wide.id) == 0)
    }

    @Test func variantsOfAWithdrawnSourceAreRemoved() async throws {
        let fixture = self.fixture()
        _ = try await fixture.answer(self.wide)
        fixture.pipeline.forget(sources: [self.wide.id.source])
        #expect(self.store.count == 0)
        _ = try await fixture.answer(self.wide)
        #expect(self.store.count == 0, "and are not stored while it is withdrawn")
        fixture.pipeline.forget(sources: [])
        fixture.variants.removeAll(of: self.wide.id)
        _ = try await fixture.answer(self.wide)
        #expect(self.store.count == 1)
    }

    @Test func aVariantThatHasVanishedIsRenderedAlsoWithoutALookAtTheOriginalBefore() async throws {
        let fixture = self.fixture()
        _ = try await fixture.answer(self.wide)
        fixture.variants.removeAll(of: self.wide.id)
        self.store.vanish()
        let (_, provenance) = try PipelineFixture.variant(try await fixture.answer(self.wide))
        #expect(!provenance.wasStored && fixture.pipeline.status.decodes == 2)
        #expect(self.store.lookupCount == 1)
    }

    @Test func aStoredVariantOfAKnownOriginalIsServedWithoutALookAtTheOriginal() async throws {
        let fixture = self.fixture()
        _ = try await fixture.answer(self.wide)
        fixture.variants.removeAll(of: self.wide.id)
        let (_, provenance) = try PipelineFixture.variant(try await fixture.answer(self.wide))
        #expect(provenance.wasStored && fixture.pipeline.counters.value(of: .originalHit) == 0)
    }

    @Test func aJobDoesNotRenderWhatIsStored() async throws {
        _ = try await self.fixture().answer(self.narrow)
        let (fixture, gate) = (self.fixture(), Gate())
        self.store.hold(gate)
        let client = Task { try await fixture.answer(self.narrow) }
        try await self.store.lookupsArrived(1)
        let (_, rendered) = try PipelineFixture.variant(try await fixture.answer(self.wide))
        #expect(!rendered.wasStored && fixture.pipeline.status.renders == 1)
        gate.open()
        let (_, read) = try PipelineFixture.variant(try await client.value)
        #expect(read.wasStored && fixture.pipeline.status.renders == 1)
    }
}

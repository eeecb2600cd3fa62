import Flights
import HTTPSemantics
import PictureTesting
import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

/// Published events about originals, and the effect of other nodes' events.
@Suite(.timeLimit(.hang))
struct OriginalEventTests {
    private static let day: Int64 = 86_400
    private static let old = TestPicture.jpeg(width: 200, height: 300, seed: 1)
    private static let new = TestPicture.jpeg(width: 200, height: 300, seed: 2)

    /// Records events; can fail.
    private final class Publisher: OriginalEventPublisher {
        private let state = Mutex<(events: [OriginalEvent], failure: PosterError?)>(([], nil))

        var events: [OriginalEvent] { self.state.withLock { $0.events } }

        func fail(_ error: PosterError) { self.state.withLock { $0.failure = error } }

        func publish(_ event: OriginalEvent) async throws -> Publication {
            if let failure = self.state.withLock({ $0.failure }) { throw failure }
            self.publishLater(event)
            return .waiting
        }

        func publishLater(_ event: OriginalEvent) { self.state.withLock { $0.events.append(event) } }
    }

    private let publisher = Publisher()

    /// A fixture with a poster that is fresh for a day, and its first variant.
    private func fixture(
        gate: EventGate? = nil, variantStore: MemoryVariantStore? = nil
    ) async throws -> (PipelineFixture, PosterRequest, EntityTag) {
        let fixture = PipelineFixture(
            planesBudget: 64 << 20, variantStore: variantStore, events: self.publisher, eventGate: gate)
        fixture.source.set(
            Self.old, for: "heat", etag: "\"1\"", caching: CachingFields(cacheControl: "max-age=\(Self.day)"))
        let request = try PipelineFixture.request("heat", width: 92)
        let (poster, _) = try PipelineFixture.variant(try await fixture.answer(request))
        return (fixture, request, poster.entityTag)
    }

    private static func digest(_ bytes: [UInt8]) -> Digest { bytes.withUnsafeBytes { Digest(of: $0) } }

    @Test func aPurgeIsPublishedAndSaysWhetherOthersWereReached() async throws {
        let (fixture, request, _) = try await self.fixture()
        let outcome = try await fixture.pipeline.purgeEverywhere(request.id)
        #expect(outcome == PurgeOutcome(wasStored: true, publication: .waiting))
        #expect(self.publisher.events == [.purged(request.id)])
    }

    @Test func aPurgeThatCannotReachTheOthersEverFails() async throws {
        let (fixture, request, _) = try await self.fixture()
        self.publisher.fail(.storageFailed(reason: "no room"))
        await #expect(throws: PosterError.storageFailed(reason: "no room")) {
            try await fixture.pipeline.purgeEverywhere(request.id)
        }
        #expect(try fixture.known(request) != nil, "it may be tried again")
    }

    @Test func otherBytesAndAWithdrawalArePublishedOnce() async throws {
        let (fixture, request, _) = try await self.fixture()
        fixture.source.set(Self.new, for: "heat", etag: "\"2\"")
        fixture.day.advance(by: .seconds(Self.day))
        _ = try fixture.known(request)
        try await eventually { fixture.pipeline.status.revalidations == 0 && !self.publisher.events.isEmpty }
        let (old, new) = (Self.digest(Self.old), Self.digest(Self.new))
        #expect(self.publisher.events == [.replaced(request.id, old: old, new: new)])

        fixture.source.fail(.unknownPoster(request.id), for: "heat")
        fixture.day.advance(by: .seconds(30 * Self.day))
        _ = try fixture.known(request)
        try await eventually { fixture.pipeline.status.revalidations == 0 && self.publisher.events.count > 1 }
        #expect(self.publisher.events.dropFirst() == [.withdrawn(request.id, new)])
    }

    private static let changes: [OriginalEvent] = {
        guard let id = try? PosterID(key: "heat") else { return [] }
        let (old, new) = (Self.digest(Self.old), Self.digest(Self.new))
        return [.purged(id), .replaced(id, old: old, new: new), .withdrawn(id, old)]
    }()

    @Test(arguments: Self.changes)
    func anEventOfAnotherNodeRemovesAllThereIsAndIsNotPublishedAgain(_ event: OriginalEvent) async throws {
        let variants = MemoryVariantStore()
        let (fixture, request, tag) = try await self.fixture(variantStore: variants)
        fixture.source.set(Self.new, for: "heat", etag: "\"2\"")
        try await fixture.pipeline.apply(event, at: 1000)
        try await fixture.pipeline.apply(event, at: 1000)
        #expect(fixture.store.count == 0 && fixture.variants.usage.count == 0 && variants.count == 0)
        #expect(fixture.pipeline.status.planesCount == 0)
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(poster.entityTag != tag && provenance.reach == .origin)
        #expect(self.publisher.events.isEmpty)
    }

    @Test func whatThisNodeHasAlreadyStaysWhenOthersReplaceIt() async throws {
        let (fixture, request, _) = try await self.fixture()
        let event = OriginalEvent.replaced(request.id, old: Self.digest(Self.new), new: Self.digest(Self.old))
        try await fixture.pipeline.apply(event, at: 1000)
        #expect(try fixture.known(request) != nil && fixture.store.count == 1)
    }

    // MARK: Lost events

    @Test func afterLostEventsWorkThatBeganEarlierIsRepeatedAlsoForAPurgedOriginal() throws {
        let metadata = OriginalMetadataCache(limit: 10)
        let id = try PosterID(source: "memory", key: "heat")
        metadata.forget(id)
        let epoch = metadata.epoch(of: id)
        #expect(!metadata.isForgotten(id, since: epoch))
        metadata.requireValidation(since: 1000)
        #expect(metadata.isForgotten(id, since: epoch) && !metadata.isKept(id, since: epoch))
    }

    @Test func afterLostEventsNothingIsUsedBeforeItsOriginHasConfirmedIt() async throws {
        let variants = MemoryVariantStore()
        let (fixture, request, tag) = try await self.fixture(variantStore: variants)
        fixture.day.advance(by: .seconds(10))
        await fixture.pipeline.distrust(until: 1010)
        #expect(try fixture.known(request) == nil && fixture.variants.usage.count == 0 && variants.count == 0)

        fixture.source.fail(.originUnavailable(reason: "it is down"), for: "heat")
        fixture.day.advance(by: .seconds(1))
        await #expect(throws: PosterError.originUnavailable(reason: "it is down")) { try await fixture.answer(request) }

        fixture.source.set(Self.old, for: "heat", etag: "\"1\"")
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(poster.entityTag == tag && provenance.validationStatus == 304)
        _ = try await fixture.answer(try PipelineFixture.request("heat", width: 60))
        #expect(fixture.source.fetchCount(of: "heat") == 3, "once")
    }

    @Test func afterARestartItIsRememberedWhatHasToBeConfirmed() async throws {
        let (fixture, request, tag) = try await self.fixture()
        let other = PipelineFixture(store: fixture.store, fetching: fixture.source)
        other.day.advance(by: .seconds(20))
        other.pipeline.requireValidation(since: 1010)
        fixture.source.set(Self.new, for: "heat", etag: "\"2\"")
        let (poster, _) = try PipelineFixture.variant(try await other.answer(request))
        #expect(poster.entityTag != tag)
    }

    // MARK: The gate

    @Test func whileEventsAreAppliedRequestsWaitAndHitsAreNone() async throws {
        let gate = EventGate(.open)
        let (fixture, request, tag) = try await self.fixture(gate: gate)
        gate.move(to: .held)
        #expect(try fixture.known(request) == nil)
        let client = Task { try await fixture.answer(request) }
        try await fixture.pipeline.apply(.purged(request.id), at: 1000)
        fixture.source.set(Self.new, for: "heat", etag: "\"2\"")
        gate.move(to: .open)
        let (poster, _) = try PipelineFixture.variant(try await client.value)
        #expect(poster.entityTag != tag)
    }

    @Test func aRequestThatBeganBeforeIsAnsweredWithWhatIsCurrentAfterwards() async throws {
        let gate = EventGate(.open)
        let (fixture, request, _) = try await self.fixture(gate: gate)
        let tag = try PipelineFixture.variant(
            try await fixture.answer(try PipelineFixture.request("heat", width: 60))
        ).0.entityTag
        try await fixture.pipeline.apply(.purged(request.id), at: 1000)
        let held = Gate()
        fixture.source.set(Self.old, for: "heat", etag: "\"1\"")
        fixture.source.hold(held, for: "heat")
        let client = Task { try await fixture.answer(try PipelineFixture.request("heat", width: 60)) }
        try await fixture.source.fetchesArrived(of: "heat", count: 2)
        gate.move(to: .held)
        held.open()
        try await fixture.pipeline.apply(.purged(request.id), at: 1000)
        fixture.source.set(Self.new, for: "heat", etag: "\"2\"")
        gate.move(to: .open)
        #expect(try PipelineFixture.variant(try await client.value).0.entityTag != tag)
    }

    @Test func aNodeThatIsCutOffForTooLongRefuses() async throws {
        let gate = EventGate(.open)
        let (fixture, request, _) = try await self.fixture(gate: gate)
        gate.move(to: .refused)
        await #expect(throws: PosterError.cutOff(retryAfter: 5)) { try await fixture.answer(request) }
        await #expect(throws: PosterError.cutOff(retryAfter: 5)) {
            try await fixture.pipeline.description(of: request.id)
        }
        gate.move(to: .open)
        _ = try await fixture.answer(request)
    }

    @Test func aRequestDoesNotWaitForEver() async throws {
        let gate = EventGate(.held, sleep: { _ in })
        await #expect(throws: PosterError.cutOff(retryAfter: 1)) { try await gate.pass() }
    }
}

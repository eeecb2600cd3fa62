import Flights
import HTTPSemantics
import PictureTesting
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct FreshnessTests {
    @Test func theTimeOfDayIsReadOnceAndAdvancedByTheMonotonicClock() {
        let monotonic = ManualClock()
        let clock = AnchoredClock.make(wall: 1_000_000, monotonic: monotonic.now)
        #expect(clock() == 1_000_000)
        monotonic.advance(by: .seconds(90))
        #expect(clock() == 1_000_090)
    }

    private static let day: Int64 = 86_400

    /// A fixture with a poster that is fresh for a day, and its first variant.
    private func fixture(_ etag: String? = "\"1\"", clock: ManualClock = ManualClock()) async throws -> (
        PipelineFixture, PosterRequest, EntityTag
    ) {
        let fixture = PipelineFixture(failureClock: clock.now)
        fixture.source.set(
            TestPicture.jpeg(width: 200, height: 300, seed: 1), for: "heat", etag: etag,
            caching: CachingFields(cacheControl: "max-age=\(Self.day)"))
        let request = try PipelineFixture.request("heat", width: 92)
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(provenance.staleness == nil)
        return (fixture, request, poster.entityTag)
    }

    private func waitForFetches(_ count: Int, of fixture: PipelineFixture) async throws {
        try await eventually {
            fixture.source.fetchCount(of: "heat") >= count && fixture.pipeline.status.revalidations == 0
        }
    }

    @Test func aStalePosterIsAnsweredAtOnceAndA304MovesItsFreshnessOnly() async throws {
        let (fixture, request, tag) = try await self.fixture()
        fixture.day.advance(by: .seconds(Self.day - 1))
        #expect(try #require(try fixture.known(request)).1.staleness == nil)
        fixture.day.advance(by: .seconds(1))
        let (poster, provenance) = try #require(try fixture.known(request))
        #expect(poster.entityTag == tag)
        #expect(provenance.staleness == Staleness(seconds: 0, reason: .revalidating))
        try await self.waitForFetches(2, of: fixture)
        #expect(fixture.source.conditions(of: "heat").last == Validators(etag: "\"1\""))
        let (again, fresh) = try #require(try fixture.known(request))
        #expect(again.entityTag == tag && fresh.staleness == nil)
        fixture.day.advance(by: .seconds(Self.day))
        #expect(try #require(try fixture.known(request)).1.staleness != nil, "for another day")
        #expect(fixture.pipeline.status.renders == 1)
    }

    @Test func aChangedBodyGivesNewVariantsUnderANewTagAndDropsTheOldOnes() async throws {
        let (fixture, request, tag) = try await self.fixture()
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 2), for: "heat", etag: "\"2\"")
        fixture.day.advance(by: .seconds(Self.day))
        #expect(try #require(try fixture.known(request)).0.entityTag == tag)
        try await self.waitForFetches(2, of: fixture)
        #expect(try fixture.known(request) == nil, "what is current has to be rendered")
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(poster.entityTag != tag && provenance.staleness == nil)
        #expect(fixture.variants.usage.count == 1, "in place of the old one")
    }

    @Test func whileTheOriginFailsTheStaleOriginalServesAndIsNotAskedForEachTime() async throws {
        let clock = ManualClock()
        let (fixture, request, _) = try await self.fixture(clock: clock)
        fixture.source.fail(.originUnavailable(reason: "it is down"), for: "heat")
        fixture.day.advance(by: .seconds(Self.day))
        _ = try fixture.known(request)
        try await self.waitForFetches(2, of: fixture)
        for width in [92, 60] {
            let (_, provenance) = try PipelineFixture.variant(
                try await fixture.answer(try PipelineFixture.request("heat", width: width)))
            #expect(provenance.staleness?.reason == .originFailed)
        }
        #expect(fixture.source.fetchCount(of: "heat") == 2)
        clock.advance(by: .seconds(30))
        #expect(try #require(try fixture.known(request)).1.staleness?.reason == .revalidating)
        try await self.waitForFetches(3, of: fixture)

        // After 30 days, it is too old to be served.
        fixture.day.advance(by: .seconds(30 * Self.day))
        clock.advance(by: .seconds(30))
        #expect(try fixture.known(request) == nil)
        await #expect(throws: PosterError.originUnavailable(reason: "it is down")) { try await fixture.answer(request) }
        #expect(fixture.store.count == 1, "but it is kept")
        fixture.source.set(
            TestPicture.jpeg(width: 200, height: 300, seed: 1), for: "heat", etag: "\"1\"",
            caching: CachingFields(cacheControl: "max-age=\(Self.day)"))
        let (_, provenance) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(provenance.staleness == nil && fixture.source.conditions(of: "heat").last?.etag == "\"1\"")
    }

    @Test(arguments: [PosterError.unknownPoster(try! PosterID(key: "heat")), .originRefused(reason: "no")])
    func whatTheOriginDoesNotGiveAnyMoreIsDropped(_ error: PosterError) async throws {
        let (fixture, request, _) = try await self.fixture()
        fixture.source.fail(error, for: "heat")
        fixture.day.advance(by: .seconds(Self.day))
        _ = try fixture.known(request)
        try await self.waitForFetches(2, of: fixture)
        #expect(fixture.store.count == 0)
        #expect(throws: error) { try fixture.known(request) }
    }

    @Test func aBrokenBodyInPlaceOfAGoodOneIsNotKept() async throws {
        let (fixture, request, tag) = try await self.fixture()
        fixture.source.set(Array("<!DOCTYPE html><html>".utf8), for: "heat")
        fixture.day.advance(by: .seconds(Self.day))
        _ = try fixture.known(request)
        try await self.waitForFetches(2, of: fixture)
        let (poster, provenance) = try #require(try fixture.known(request))
        #expect(poster.entityTag == tag && provenance.staleness?.reason == .originFailed)
        #expect(fixture.store.count == 1)
    }

    @Test func aRenderOfBytesThatWereReplacedMeanwhileIsDiscarded() async throws {
        let (fixture, _, _) = try await self.fixture()
        let (release, end) = try await fixture.occupyThread()
        let (second, secondEnd) = try await fixture.occupyThread()
        let request = try PipelineFixture.request("heat", width: 60)
        let client = Task { try await fixture.answer(request) }
        try await eventually { fixture.pipeline.renderWaiterCount >= 1 }
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 2), for: "heat", etag: "\"2\"")
        fixture.day.advance(by: .seconds(Self.day))
        _ = try fixture.known(try PipelineFixture.request("heat", width: 92))
        try await self.waitForFetches(2, of: fixture)
        release.open()
        second.open()
        try await end.value
        try await secondEnd.value
        let (poster, _) = try PipelineFixture.variant(try await client.value)
        #expect(try #require(try fixture.known(request)).0.entityTag == poster.entityTag)
        #expect(fixture.pipeline.status.discarded == 1)
    }

    @Test func whatTheOriginWithdrawsIsDroppedAlsoWhenTheDiskHasItNoMore() async throws {
        let (fixture, request, _) = try await self.fixture()
        _ = try await fixture.store.purge(request.id)
        fixture.source.fail(.unknownPoster(request.id), for: "heat")
        fixture.day.advance(by: .seconds(Self.day))
        _ = try fixture.known(request)
        try await self.waitForFetches(2, of: fixture)
        #expect(throws: PosterError.unknownPoster(request.id)) { try fixture.known(request) }
    }

    @Test func aPurgeIsNotUndoneByAFetchThatWasUnderWay() async throws {
        let gate = Gate()
        let store = HeldStore(gate: gate)
        let fixture = PipelineFixture(store: store)
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 1), for: "heat")
        let request = try PipelineFixture.request("heat", width: 92)
        let client = Task { try await fixture.answer(request) }
        try await store.reached.wait()
        let metadata = fixture.pipeline.library.metadata
        let epoch = metadata.epoch(of: request.id)
        // It waits for the commit, and removes what that stores.
        let purge = Task { try await fixture.pipeline.purge(request.id) }
        try await eventually { metadata.isForgotten(request.id, since: epoch) }
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 2), for: "heat")
        let held = Gate()
        fixture.source.hold(held, for: "heat")
        gate.open()
        _ = try await purge.value
        held.open()
        _ = try await client.value
        #expect(fixture.source.fetchCount(of: "heat") >= 2, "what came before the purge is not kept")
        let location = try await KeyedPosterLocator().locate(request.id)
        let stored = try #require(try await store.original(request.id, from: location))
        let bytes = try stored.original.bytes.withUnsafeBytes { Array($0) }
        #expect(bytes == TestPicture.jpeg(width: 200, height: 300, seed: 2))
    }

    private func purgeWhileTheOriginIsAsked(_ fixture: PipelineFixture, _ request: PosterRequest) async throws {
        let held = Gate()
        fixture.source.hold(held, for: "heat")
        fixture.day.advance(by: .seconds(Self.day))
        _ = try fixture.known(request)
        try await fixture.source.fetchesArrived(of: "heat", count: 2)
        _ = try await fixture.pipeline.purge(request.id)
        held.open()
    }

    @Test func aPurgeIsNotUndoneByARevalidationThatWasUnderWay() async throws {
        let (fixture, request, _) = try await self.fixture()
        try await self.purgeWhileTheOriginIsAsked(fixture, request)
        try await self.waitForFetches(2, of: fixture)
        #expect(try fixture.known(request) == nil && fixture.store.count == 0)
    }

    @Test func aPurgeIsNotUndoneByABackgroundFetch() async throws {
        let (fixture, request, _) = try await self.fixture()
        _ = try await fixture.store.purge(request.id)
        try await self.purgeWhileTheOriginIsAsked(fixture, request)
        try await self.waitForFetches(3, of: fixture)
        #expect(fixture.source.fetchCount(of: "heat") == 3, "what came before the purge is not kept")
    }

    @Test func a304WithoutALifetimeKeepsTheOneFromBefore() async throws {
        let (fixture, request, _) = try await self.fixture()
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 1), for: "heat", etag: "\"1\"")
        fixture.day.advance(by: .seconds(Self.day))
        _ = try fixture.known(request)
        try await self.waitForFetches(2, of: fixture)
        fixture.day.advance(by: .seconds(Self.day - 1))
        #expect(try #require(try fixture.known(request)).1.staleness == nil)
        fixture.day.advance(by: .seconds(1))
        #expect(try #require(try fixture.known(request)).1.staleness != nil)
    }

    @Test func aPurgedPosterIsFetchedAndRenderedAnew() async throws {
        let (fixture, request, _) = try await self.fixture()
        #expect(try await fixture.pipeline.purge(request.id))
        #expect(fixture.store.count == 0 && fixture.variants.usage.count == 0)
        #expect(try fixture.known(request) == nil)
        _ = try await fixture.answer(request)
        #expect(fixture.source.fetchCount(of: "heat") == 2)
        #expect(try await !fixture.pipeline.purge(try PosterID(key: "ronin")))
    }
}

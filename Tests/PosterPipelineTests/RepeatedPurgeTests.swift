import Flights
import PictureTesting
import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct RepeatedPurgeTests {
    /// An origin with a poster that is purged during each of the first fetches.
    private final class PurgedOrigin: OriginalSource {
        let source = ScriptedOriginalSource()
        private let state: Mutex<(purgesLeft: Int, pipeline: PosterPipeline?)>

        init(purges: Int) {
            self.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
            self.state = Mutex((purges, nil))
        }

        func purge(in pipeline: PosterPipeline) { self.state.withLock { $0.pipeline = pipeline } }

        func fetch(
            _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
            into draft: any OriginalDraft
        ) async throws -> OriginResponse {
            let pipeline = self.state.withLock { state in
                state.purgesLeft -= 1
                return state.purgesLeft >= 0 ? state.pipeline : nil
            }
            _ = try await pipeline?.purge(id)
            return try await self.source.fetch(
                location, for: id, validators: validators, urgency: urgency, into: draft)
        }
    }

    /// A locator that refuses all ids once it is closed.
    private final class ClosableLocator: PosterLocator {
        private let isClosed = Mutex(false)

        func close() { self.isClosed.withLock { $0 = true } }

        func locate(_ id: PosterID) async throws -> OriginalLocation {
            if self.isClosed.withLock({ $0 }) { throw PosterError.unknownPoster(id) }
            return try await KeyedPosterLocator().locate(id)
        }
    }

    private let request: PosterRequest

    init() throws {
        self.request = try PipelineFixture.request("heat", width: 92)
    }

    @Test func aPosterThatIsPurgedDuringEachFetchIsLoadedAgainUntilNoPurgeIsMissed() async throws {
        let origin = PurgedOrigin(purges: OriginalLibrary.reloadLimit)
        let fixture = PipelineFixture(fetching: origin)
        origin.purge(in: fixture.pipeline)
        _ = try await fixture.answer(self.request)
        #expect(origin.source.fetchCount(of: "heat") == OriginalLibrary.reloadLimit + 1)
        #expect(fixture.store.count == 1)
    }

    @Test func beyondTheLimitTheRequestFailsAndTheNextOneTriesAgain() async throws {
        let origin = PurgedOrigin(purges: OriginalLibrary.reloadLimit + 1)
        let fixture = PipelineFixture(fetching: origin)
        origin.purge(in: fixture.pipeline)
        await #expect(throws: PosterError.overloaded(retryAfter: 1)) { try await fixture.answer(self.request) }
        #expect(fixture.store.count == 0)
        _ = try await fixture.answer(self.request)
        #expect(origin.source.fetchCount(of: "heat") == OriginalLibrary.reloadLimit + 2)
    }

    @Test func anIDWithoutALocationRepeatsNoOtherLoadUnlessItHadAnOriginal() async throws {
        let locator = ClosableLocator()
        let fixture = PipelineFixture(locator: locator)
        let metadata = fixture.pipeline.library.metadata
        fixture.source.set(
            TestPicture.jpeg(width: 200, height: 300), for: "heat", caching: CachingFields(cacheControl: "max-age=60"))
        _ = try await fixture.answer(self.request)
        locator.close()

        let other = try PipelineFixture.request("nowhere", width: 92)
        let otherEpoch = metadata.epoch(of: other.id)
        await #expect(throws: PosterError.unknownPoster(other.id)) { try await fixture.answer(other) }
        #expect(!metadata.isForgotten(other.id, since: otherEpoch))

        // Too old to be served.
        fixture.day.advance(by: .seconds(60 * 86_400))
        let epoch = metadata.epoch(of: self.request.id)
        await #expect(throws: PosterError.unknownPoster(self.request.id)) { try await fixture.answer(self.request) }
        #expect(metadata.entry(for: self.request.id) == nil && metadata.isForgotten(self.request.id, since: epoch))
    }
}

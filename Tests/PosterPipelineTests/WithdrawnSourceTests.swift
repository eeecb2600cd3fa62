import Flights
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct WithdrawnSourceTests {
    private func request(_ id: String) throws -> PosterRequest {
        PosterRequest(id: try PosterID(id), rendition: .variant(RenderTarget(width: 40, format: .jpeg)))
    }

    @Test func whatWasOfASourceThatIsGoneIsNotServedFromMemory() async throws {
        let fixture = PipelineFixture()
        fixture.source.set(TestPicture.jpeg(width: 60, height: 90), for: "a")
        let (gone, kept) = (try self.request("gone:a"), try self.request("kept:a"))
        for request in [gone, kept] { _ = try await fixture.answer(request) }
        #expect(try fixture.known(gone) != nil && fixture.known(kept) != nil)
        fixture.pipeline.forget(sources: ["gone"])
        #expect(try fixture.known(gone) == nil && fixture.known(kept) != nil)
        #expect(fixture.variants.count(of: gone.id) == 0 && fixture.variants.count(of: kept.id) == 1)
    }

    @Test func requestsUnderWayAreAnsweredAndThePosterIsUnknownAfterwards() async throws {
        let gate = Gate()
        let fixture = PipelineFixture(gate: gate)
        fixture.source.set(TestPicture.jpeg(width: 60, height: 90), for: "a")
        let request = try self.request("gone:a")
        let answer = Task { try await fixture.answer(request) }
        try await fixture.source.fetchesArrived(of: "a")
        fixture.pipeline.forget(sources: ["gone"])
        gate.open()
        _ = try PipelineFixture.variant(try await answer.value)
        #expect(try fixture.known(request) == nil)
        // A source that is available again is treated as any other.
        fixture.pipeline.forget(sources: [])
        _ = try await fixture.answer(request)
        #expect(try fixture.known(request) != nil)
    }
}

import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.minutes(1)))
struct WithdrawnSourceTests {
    private func request(_ id: String) throws -> PosterRequest {
        PosterRequest(id: try PosterID(id), rendition: .variant(RenderTarget(width: 40, format: .jpeg)))
    }

    @Test func whatWasOfASourceThatIsGoneIsNotServedFromMemory() async throws {
        let house = House()
        house.source.set(TestPicture.jpeg(width: 60, height: 90), for: "a")
        let (gone, kept) = (try self.request("gone:a"), try self.request("kept:a"))
        for request in [gone, kept] { _ = try await house.answer(request) }
        #expect(try house.known(gone) != nil && house.known(kept) != nil)
        house.pipeline.forget(sources: ["gone"])
        #expect(try house.known(gone) == nil && house.known(kept) != nil)
        #expect(house.variants.count(of: gone.id) == 0 && house.variants.count(of: kept.id) == 1)
    }

    @Test func whatIsUnderWayIsAnsweredAndNotKnownAfterwards() async throws {
        let gate = Gate()
        let house = House(gate: gate)
        house.source.set(TestPicture.jpeg(width: 60, height: 90), for: "a")
        let request = try self.request("gone:a")
        let answer = Task { try await house.answer(request) }
        while house.source.fetchCount(of: "a") == 0 { await Task.yield() }
        house.pipeline.forget(sources: ["gone"])
        gate.open()
        _ = try House.variant(try await answer.value)
        #expect(try house.known(request) == nil)
        // When it is there again, it is as any other.
        house.pipeline.forget(sources: [])
        _ = try await house.answer(request)
        #expect(try house.known(request) != nil)
    }
}

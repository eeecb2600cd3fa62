import Flights
import HTTPSemantics
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct RecipeTagTests {
    private func fixture(gate: Gate? = nil) -> PipelineFixture {
        let fixture = PipelineFixture(gate: gate)
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        return fixture
    }

    /// Variants rendered in one decode, and separately.
    private func variants() async throws -> (shared: [Poster], alone: [Poster]) {
        let gate = Gate()
        let (crowd, single) = (self.fixture(gate: gate), self.fixture())
        let requests = try [92, 342].map { try PipelineFixture.request("heat", width: $0) }
        let clients = requests.map { request in Task { try await crowd.answer(request) } }
        try await eventually { crowd.pipeline.originalWaiterCount(for: requests[0].id) == 2 }
        gate.open()
        var (shared, alone): ([Poster], [Poster]) = ([], [])
        for client in clients { shared.append(try PipelineFixture.variant(try await client.value).0) }
        #expect(crowd.pipeline.status.decodes == 1)
        for request in requests { alone.append(try PipelineFixture.variant(try await single.answer(request)).0) }
        return (shared, alone)
    }

    @Test("a variant of a shared decode has a tag of its own, unless its bytes are those of its own decode")
    func tags() async throws {
        let (shared, alone) = try await self.variants()
        #expect(shared[0].entityTag != alone[0].entityTag && shared[0].bytes != alone[0].bytes)
        #expect(shared[1].entityTag == alone[1].entityTag && shared[1].bytes == alone[1].bytes)
    }

    @Test("either tag is a 304 before anything is rendered")
    func notModified() async throws {
        let (shared, alone) = try await self.variants()
        let fixture = self.fixture()
        let request = try PipelineFixture.request("heat", width: 92)
        for tag in [shared[0].entityTag, alone[0].entityTag] {
            guard case .notModified(tag, _) = try await fixture.answer(request, holding: tag) else {
                Issue.record("sent again")
                continue
            }
            let query = PosterQuery(request, conditions: PipelineFixture.holding(tag))
            guard case .notModified(tag, _)? = try fixture.pipeline.cachedResponse(to: query) else {
                Issue.record("not answered from memory")
                continue
            }
        }
        #expect(fixture.pipeline.status.decodes == 0)
        #expect(try fixture.pipeline.cachedResponse(to: PosterQuery(request)) == nil)
    }

    @Test("a tag names the original, the size, the format and the decode")
    func parts() throws {
        let header = try inspect(TestPicture.jpeg(width: 400, height: 600).span.bytes, limits: .init())
        let facts = OriginalFacts(digest: Digest(of: "x"), header: header)
        var tags: [EntityTag] = []
        for target in [
            RenderTarget(width: 92, format: .jpeg), RenderTarget(width: 92, format: .webp),
            RenderTarget(width: 154, format: .jpeg), RenderTarget(width: 400, format: .jpeg),
        ] {
            let key = try VariantKey(id: PosterID(key: "heat"), facts: facts, target: target)
            let possible = key.possibleTags(of: target, header: header)
            #expect(possible.first == key.entityTag() && (2...10).contains(possible.count))
            tags += possible
        }
        #expect(Set(tags).count == tags.count && tags.count > 4)
    }
}

import Flights
import PictureTesting
import PosterTesting
import Testing

@testable import PosterPipeline

/// Descriptions of posters for lists, which cause no fetch.
@Suite(.timeLimit(.hang))
struct KnownPosterTests {
    private let id: PosterID
    private let missing: PosterID

    init() throws {
        self.id = try PosterID(key: "heat")
        self.missing = try PosterID(key: "no")
    }

    private func fixture() -> PipelineFixture {
        let fixture = PipelineFixture()
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        return fixture
    }

    /// A pipeline as in another process: the same originals, and empty memory.
    private func second(of fixture: PipelineFixture) -> PipelineFixture { PipelineFixture(store: fixture.store) }

    @Test func askingNeverTouchesTheSource() async throws {
        let fixture = self.fixture()
        #expect(fixture.pipeline.knownDescription(of: self.id) == nil)
        fixture.pipeline.describeInBackground([self.id])
        try await eventually { fixture.pipeline.pendingDescriptionCount == 0 }
        #expect(fixture.pipeline.knownDescription(of: self.id) == nil)
        #expect(fixture.source.fetchCount(of: "heat") == 0)
    }

    @Test func servedPostersAreKnownAndHashedInTheBackground() async throws {
        let fixture = self.fixture()
        _ = try await fixture.answer(try PipelineFixture.request("heat", width: 92))
        guard case .picture(let picture)? = fixture.pipeline.knownDescription(of: self.id) else {
            Issue.record("nothing is known")
            return
        }
        #expect((picture.width, picture.height) == (200, 300))
        #expect(picture.hashes == nil)
        fixture.pipeline.describeInBackground([self.id, self.id])
        try await eventually { fixture.pipeline.pendingDescriptionCount == 0 }
        let description = try await fixture.pipeline.description(of: self.id)
        #expect(
            fixture.pipeline.knownDescription(of: self.id)
                == .picture(
                    KnownPicture(digest: picture.digest, width: 200, height: 300, hashes: description.hashes)))
        #expect(fixture.source.fetchCount(of: "heat") == 1)
    }

    @Test func originalsOfAnEarlierRunAreHashedInTheBackground() async throws {
        let before = self.fixture()
        _ = try await before.answer(try PipelineFixture.request("heat", width: 92))
        let fixture = self.second(of: before)
        #expect(fixture.pipeline.knownDescription(of: self.id) == nil)
        fixture.pipeline.describeInBackground([self.id])
        try await eventually { fixture.pipeline.pendingDescriptionCount == 0 }
        guard case .picture(let picture)? = fixture.pipeline.knownDescription(of: self.id) else {
            Issue.record("nothing is known")
            return
        }
        #expect(picture.hashes != nil)
        #expect(fixture.source.fetchCount(of: "heat") == 0)
    }

    @Test func aPosterThatDoesNotExistIsKnownToBeMissing() async throws {
        let fixture = self.fixture()
        await #expect(throws: PosterError.unknownPoster(self.missing)) {
            try await fixture.answer(try PipelineFixture.request("no", width: 92))
        }
        #expect(fixture.pipeline.knownDescription(of: self.missing) == .missing)
    }

    @Test func whatCannotBeReadNowIsNotMissing() async throws {
        let fixture = self.fixture()
        fixture.source.fail(.originUnavailable(reason: "it is down"), for: "heat")
        _ = try? await fixture.answer(try PipelineFixture.request("heat", width: 92))
        #expect(fixture.pipeline.knownDescription(of: self.id) == nil)
    }

    @Test func afterTheEndNothingIsTakenIn() async throws {
        let fixture = self.fixture()
        _ = try await fixture.answer(try PipelineFixture.request("heat", width: 92))
        fixture.pipeline.close()
        fixture.pipeline.describeInBackground([self.id])
        #expect(fixture.pipeline.pendingDescriptionCount == 0)
    }

    @Test func onlySoManyWait() async throws {
        let fixture = PipelineFixture(threads: 1)
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
        _ = try await fixture.answer(try PipelineFixture.request("heat", width: 92))
        let (release, end) = try await fixture.occupyThread()
        fixture.pipeline.describeInBackground([self.id])
        try await eventually { fixture.threads.usage.waitingCount != 0 }
        let ids = try (0..<(OriginalDescriber.queueLimit + 100)).map { try PosterID(key: "\($0)") }
        fixture.pipeline.describeInBackground(ids)
        #expect(fixture.pipeline.pendingDescriptionCount == OriginalDescriber.queueLimit)
        fixture.pipeline.close()
        #expect(fixture.pipeline.pendingDescriptionCount == 0)
        release.open()
        try await end.value
    }
}

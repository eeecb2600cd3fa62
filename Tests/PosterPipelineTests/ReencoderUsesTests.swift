import Flights
import HTTPSemantics
import NIOCore
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

/// Re-encoding without a second use, and of variants in a format that a request has named.
extension ReencoderTests {
    @Test("by default one request is enough, and one that renders ahead of requests is none")
    func oneRequest() async throws {
        let fixture = self.fixture(ReencodingLimits())
        let request = try self.request(.webp, preferred: .avif)
        _ = try await fixture.answer(request, level: .warming)
        try await eventually { fixture.threads.load == 0 }
        #expect(try self.status(fixture) == ReencodingStatus())
        fixture.variants.removeAll(of: request.id)
        try await self.render(request, of: fixture)
        try await self.ended(fixture)
        let status = try self.status(fixture)
        let avif = try #require(status.formats.first { $0.format == .avif })
        #expect(avif.count + avif.declined == 1)
        #expect(try fixture.known(request)?.1.isProvisional == false)
    }

    @Test("what memory does not keep is not encoded again")
    func notCached() async throws {
        let fixture = self.fixture(ReencodingLimits(), byteBudget: 0)
        let request = try self.request(.webp, preferred: .avif)
        try await self.render(request, of: fixture)
        #expect(try self.status(fixture) == ReencodingStatus())
    }

    @Test("an AVIF that a request named is not sent to others while WebP is as small, and is encoded again")
    func namedFormat() async throws {
        let fixture = self.fixture()
        let (negotiated, named) = (try self.request(.webp, preferred: .avif), try self.request(.avif))
        try await self.render(named, of: fixture)
        #expect(try fixture.known(negotiated)?.0.format == .avif, "WebP is not known")
        try await self.ended(fixture)
        fixture.variants.removeAll(of: named.id)
        try await self.render(negotiated, of: fixture)
        try await self.render(named, of: fixture)
        try self.enlarge(named, of: fixture, to: 2 << 20)
        try self.enlarge(negotiated, of: fixture, to: 1 << 20)
        let (webp, provenance) = try #require(try fixture.known(negotiated))
        #expect(webp.format == .webp && provenance.isProvisional)
        try await self.ended(fixture)
        let (avif, final) = try #require(try fixture.known(negotiated))
        #expect(avif.format == .avif && avif.encoding == .refined && !final.isProvisional)
        #expect(try fixture.known(named)?.0.entityTag == avif.entityTag)
    }

    @Test("when the best AVIF is no smaller than WebP, others get WebP for good, also after memory has lost it")
    func namedFormatThatIsLarger() async throws {
        let fixture = self.fixture()
        let (negotiated, named) = (try self.request(.webp, preferred: .avif), try self.request(.avif))
        try await self.render(negotiated, of: fixture)
        try await self.render(named, of: fixture)
        try self.enlarge(negotiated, of: fixture, to: 10)
        #expect(try fixture.known(negotiated)?.1.isProvisional == true)
        try await self.ended(fixture)
        let (webp, provenance) = try #require(try fixture.known(negotiated))
        #expect(webp.format == .webp && !provenance.isProvisional)
        let key = try self.key(named, of: fixture)
        let held = key.entityTag()
        let query = PosterQuery(negotiated, conditions: PipelineFixture.holding(held))
        guard case .notModified(held, _)? = try fixture.pipeline.cachedResponse(to: query) else {
            Issue.record("a client that has AVIF is sent WebP")
            return
        }
        fixture.variants.remove(try self.key(negotiated, of: fixture))
        #expect(try fixture.known(negotiated) == nil)
        let again = try PipelineFixture.variant(try await fixture.answer(negotiated))
        #expect(again.0.format == .webp && !again.1.isProvisional)
        #expect(fixture.variants.contains(key))
    }

    @Test("a refined AVIF that a refined WebP has come below is not sent any more, and nothing is provisional")
    func refinedWebPIsSmaller() async throws {
        let fixture = self.fixture()
        let request = try self.request(.webp, preferred: .avif)
        try await self.render(request, of: fixture)
        try self.enlarge(request, of: fixture)
        _ = try fixture.known(request)
        try await self.ended(fixture)
        #expect(try fixture.known(request)?.0.format == .avif)
        try self.enlarge(request, of: fixture, to: 10)
        let (webp, provenance) = try #require(try fixture.known(request))
        #expect(webp.format == .webp && !provenance.isProvisional)
    }

    @Test("an error of the store is logged with the poster, and many of them once a minute")
    func logsFaults() async throws {
        let (log, clock) = (LogRecorder(), ManualClock())
        let store = FailingReads()
        let fixture = self.fixture(clock: clock, planesBudget: 0, store: store, logger: log.logger())
        let requests = try [self.request(), self.request(key: "ronin"), self.request(.webp)]
        for request in requests { try await self.render(request, of: fixture) }
        store.isFailing.change { $0 = true }
        for (index, request) in requests.enumerated() {
            if index == 2 { clock.advance(by: .seconds(60)) }
            _ = try fixture.known(request)
            try await self.ended(fixture)
        }
        #expect(try self.status(fixture).dropped == 3)
        #expect(log.warnings() == ["A variant cannot be re-encoded", "A variant cannot be re-encoded"])
    }
}

/// A memory store with reads that can fail.
private final class FailingReads: OriginalStore {
    private struct Failure: Error {}

    let isFailing = AwaitedState(false)
    private let memory = MemoryOriginalStore()

    func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        guard !self.isFailing.value else { throw Failure() }
        return try await self.memory.original(id, from: location)
    }

    func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        try await self.memory.makeDraft(for: id, from: location)
    }

    func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {
        await self.memory.refresh(id, digest: digest, validators: validators, freshness: freshness)
    }

    func remove(_ id: PosterID, digest: Digest) async {
        await self.memory.remove(id, digest: digest)
    }

    func purge(_ id: PosterID) async throws -> Bool {
        try await self.memory.purge(id)
    }
}

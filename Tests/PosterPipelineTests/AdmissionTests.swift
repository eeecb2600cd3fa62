import Flights
import HTTPSemantics
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct AdmissionTests {
    private func fixture(threads: Int = 1, queueLimit: Int = 10, weightLimit: Int = .max) -> PipelineFixture {
        let fixture = PipelineFixture(threads: threads, queueLimit: queueLimit, weightLimit: weightLimit)
        for key in ["heat", "ronin"] {
            fixture.source.set(
                TestPicture.jpeg(width: 200, height: 300), for: key, etag: "\"1\"",
                caching: CachingFields(cacheControl: "max-age=86400"))
        }
        return fixture
    }

    private func waitFor(_ count: Int, at level: Urgency.Level, in fixture: PipelineFixture) async throws {
        try await eventually { fixture.threads.usage.waiting[level] == count }
    }

    @Test func aWarmUpThatWaitsIsPromotedWhenAClientAsksForIt() async throws {
        let fixture = self.fixture()
        let (release, end) = try await fixture.occupyThread()
        let request = try PipelineFixture.request("heat", width: 92)
        let warming = Task { try await fixture.answer(request, level: .warming) }
        try await self.waitFor(1, at: .warming, in: fixture)
        let client = Task { try await fixture.answer(request) }
        try await self.waitFor(1, at: .interactive, in: fixture)
        #expect(fixture.threads.usage.waitingCount == 1)
        release.open()
        try await end.value
        _ = try await warming.value
        let (_, provenance) = try PipelineFixture.variant(try await client.value)
        #expect(provenance.isShared && fixture.pipeline.status.renders == 1)
    }

    @Test func aRequestOverTheBoundGetsARetryAfter() async throws {
        let fixture = self.fixture(queueLimit: 1)
        let (release, end) = try await fixture.occupyThread()
        let waiting = Task { try await fixture.answer(try PipelineFixture.request("heat", width: 92)) }
        try await self.waitFor(1, at: .interactive, in: fixture)
        let other = try PipelineFixture.request("ronin", width: 92)
        await #expect(throws: PosterError.overloaded(retryAfter: 1)) { try await fixture.answer(other) }
        release.open()
        try await end.value
        _ = try await waiting.value
        #expect(fixture.pipeline.status.overloaded == 1)
    }

    @Test func overTheBoundTheVariantOfTheBytesBeforeIsAnsweredIfThereIsOne() async throws {
        let fixture = self.fixture(queueLimit: 0)
        let request = try PipelineFixture.request("heat", width: 92)
        let (old, _) = try PipelineFixture.variant(try await fixture.answer(request))
        fixture.source.set(TestPicture.jpeg(width: 200, height: 300, seed: 2), for: "heat", etag: "\"2\"")
        fixture.day.advance(by: .seconds(86_400))
        _ = try fixture.known(request)
        try await eventually {
            fixture.source.fetchCount(of: "heat") >= 2 && fixture.pipeline.status.revalidations == 0
        }

        let (release, end) = try await fixture.occupyThread()
        let (poster, provenance) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(poster.entityTag == old.entityTag)
        #expect(provenance.staleness == Staleness(seconds: 0, reason: .overloaded))
        let other = try PipelineFixture.request("heat", width: 60)
        await #expect {
            try await fixture.answer(other)
        } throws: { error in
            guard case .overloaded(let retryAfter)? = error as? PosterError else { return false }
            return (1...60).contains(retryAfter)
        }
        let before = TestPicture.jpeg(width: 200, height: 300).span.bytes
        let facts = OriginalFacts(
            digest: before.withUnsafeBytes { Digest(of: $0) }, header: try inspect(before, limits: .init()))
        let tag = try VariantKey(id: other.id, facts: facts, target: RenderTarget(width: 60, format: .jpeg)).entityTag()
        // The client's variant is nowhere, and nothing shows that its bytes are current.
        await #expect {
            try await fixture.answer(other, holding: tag)
        } throws: { error in
            if case .overloaded? = error as? PosterError { true } else { false }
        }
        release.open()
        try await end.value
        let (new, _) = try PipelineFixture.variant(try await fixture.answer(request))
        #expect(new.entityTag != old.entityTag)
    }

    @Test func rendersTogetherStayWithinOneBudgetOfMemory() async throws {
        let fixture = self.fixture(threads: 4, weightLimit: 1)
        let (held, release) = (Gate(), Latch())
        let holder = Task {
            try await fixture.threads.run(weight: 1) {
                held.open()
                release.wait()
            }
        }
        try await held.wait()
        let client = Task { try await fixture.answer(try PipelineFixture.request("heat", width: 92)) }
        try await self.waitFor(1, at: .interactive, in: fixture)
        #expect(fixture.threads.usage.held == 1, "though three threads are idle")
        release.open()
        try await holder.value
        _ = try await client.value
        // The variant is delivered before its thread is free.
        try await eventually { fixture.threads.usage.weight == 0 }
    }

    // MARK: Clients that leave, phase by phase

    /// Two clients reach a phase; one leaves and the other is served.
    private func oneLeaves(
        _ fixture: PipelineFixture, _ request: PosterRequest, reached: () async throws -> Void, release: () -> Void
    ) async throws {
        let staying = Task { try await fixture.answer(request) }
        try await reached()
        let leaving = Task { try await fixture.answer(request) }
        let id = request.id
        try await eventually {
            fixture.pipeline.originalWaiterCount(for: id) + fixture.pipeline.renderWaiterCount >= 2
        }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        release()
        _ = try PipelineFixture.variant(try await staying.value)
        #expect(fixture.source.fetchCount(of: "heat") == 1 && fixture.pipeline.status.renders == 1)
    }

    /// Two clients reach a phase and leave, and the work stops there.
    private func bothLeave(
        _ fixture: PipelineFixture, _ request: PosterRequest, reached: () async throws -> Void, release: () -> Void
    ) async throws {
        let clients = (0..<2).map { _ in Task { try await fixture.answer(request) } }
        try await reached()
        for client in clients { client.cancel() }
        for client in clients { await #expect(throws: CancellationError.self) { try await client.value } }
        release()
        try await eventually { fixture.threads.load == 0 }
        #expect(fixture.pipeline.status.renders == 0 && fixture.variants.usage.count == 0)
    }

    @Test func clientsThatLeaveWhileItIsFetched() async throws {
        let request = try PipelineFixture.request("heat", width: 92)
        for isLast in [false, true] {
            let gate = Gate()
            let fixture = PipelineFixture(gate: gate)
            fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
            let reached = {
                try await fixture.source.fetchesArrived(of: "heat")
            }
            if isLast {
                try await self.bothLeave(fixture, request, reached: reached, release: {})
                try await fixture.source.fetchesCancelled()
            } else {
                try await self.oneLeaves(fixture, request, reached: reached, release: gate.open)
            }
        }
    }

    @Test func clientsThatLeaveWhileItIsStored() async throws {
        let request = try PipelineFixture.request("heat", width: 92)
        for isLast in [false, true] {
            let gate = Gate()
            let store = HeldStore(gate: gate)
            let fixture = PipelineFixture(store: store)
            fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat")
            if isLast {
                try await self.bothLeave(fixture, request, reached: store.reached.wait, release: {})
                #expect(store.memory.count == 0)
            } else {
                try await self.oneLeaves(fixture, request, reached: store.reached.wait, release: gate.open)
            }
        }
    }

    @Test func clientsThatLeaveWhileItWaitsForAThread() async throws {
        let request = try PipelineFixture.request("heat", width: 92)
        for isLast in [false, true] {
            let fixture = self.fixture()
            let (release, end) = try await fixture.occupyThread()
            let reached = {
                try await eventually { fixture.threads.usage.waitingCount >= 1 }
            }
            if isLast {
                try await self.bothLeave(fixture, request, reached: reached, release: release.open)
            } else {
                try await self.oneLeaves(fixture, request, reached: reached, release: release.open)
            }
            try await end.value
        }
    }

    /// - Parameter part: Where to stop, as a fraction of the clock readings: WebP is encoded after the last row is
    ///   decoded.
    @Test(arguments: [0.5, 1.0])
    func clientsThatLeaveWhileItIsDecodedOrEncoded(_ part: Double) async throws {
        let request = try PipelineFixture.request("heat", width: 92, format: .webp)
        let picture = TestPicture.jpeg(width: 400, height: 600)
        let all = HeldLook(at: 0)
        let rehearsal = PipelineFixture(now: all.now)
        rehearsal.source.set(picture, for: "heat")
        _ = try await rehearsal.answer(request)
        // The last reading is after the encoding, the previous one at its start.
        let stop = part < 1 ? Int(Double(all.count) * part) : all.count - 1
        for isLast in [false, true] {
            let held = HeldLook(at: stop)
            let fixture = PipelineFixture(now: held.now)
            fixture.source.set(picture, for: "heat")
            if isLast {
                try await self.bothLeave(fixture, request, reached: held.reached.wait, release: held.release.open)
            } else {
                try await self.oneLeaves(fixture, request, reached: held.reached.wait, release: held.release.open)
            }
        }
    }
}

import Flights
import PictureTesting
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct WarmerTests {
    private func fixture(gate: Gate? = nil) -> PipelineFixture {
        let fixture = PipelineFixture(gate: gate, threads: 1)
        for key in ["heat", "ronin", "thief"] {
            fixture.source.set(TestPicture.jpeg(width: 200, height: 300), for: key)
        }
        return fixture
    }

    private func requests(_ keys: [String], widths: [Int] = [92]) throws -> [PosterRequest] {
        try keys.flatMap { key in try widths.map { try PipelineFixture.request(key, width: $0) } }
    }

    @Test func whatIsWarmIsAnsweredFromMemory() async throws {
        let fixture = self.fixture()
        let warmer = Warmer(pipeline: fixture.pipeline, concurrency: 2)
        let requests = try self.requests(["heat", "ronin"], widths: [92, 60])
        #expect(warmer.submit(requests) == .init(queued: 4))
        try await eventually { warmer.pendingCount == 0 }
        for request in requests { #expect(try fixture.known(request) != nil) }
        #expect(fixture.pipeline.status.warmed == 4)
        #expect(fixture.pipeline.status.decodes == 2, "one for each poster")
        #expect(fixture.source.fetchCount(of: "heat") == 1)
    }

    @Test func whatIsThereOrUnderWayAlreadyCostsNothing() async throws {
        let gate = Gate()
        let fixture = self.fixture(gate: gate)
        let warmer = Warmer(pipeline: fixture.pipeline, concurrency: 2)
        let requests = try self.requests(["heat"])
        #expect(warmer.submit(requests + requests) == .init(queued: 1, cached: 1))
        gate.open()
        try await eventually { warmer.pendingCount == 0 }
        #expect(warmer.submit(requests) == .init(cached: 1))
        #expect(fixture.source.fetchCount(of: "heat") == 1)
    }

    @Test func whatIsOverTheLimitIsRefused() async throws {
        let gate = Gate()
        let fixture = self.fixture(gate: gate)
        let warmer = Warmer(pipeline: fixture.pipeline, concurrency: 1, queueLimit: 1)
        #expect(warmer.submit(try self.requests(["heat"])).queued == 1)
        try await fixture.source.fetchesArrived(of: "heat")
        #expect(warmer.submit(try self.requests(["ronin", "thief"])) == .init(queued: 1, refused: 1))
        gate.open()
        try await eventually { warmer.pendingCount == 0 }
    }

    @Test func cancellingStopsWhatNoOtherCallerWaitsFor() async throws {
        let gate = Gate()
        let fixture = self.fixture(gate: gate)
        let warmer = Warmer(pipeline: fixture.pipeline, concurrency: 2)
        _ = warmer.submit(try self.requests(["heat", "ronin", "thief"]))
        try await fixture.source.fetchesArrived(of: "heat")
        try await fixture.source.fetchesArrived(of: "ronin")
        let client = Task { try await fixture.answer(try PipelineFixture.request("heat", width: 92)) }
        try await eventually { fixture.pipeline.originalWaiterCount(for: try PosterID(key: "heat")) >= 2 }
        #expect(warmer.cancelAll() == 3)
        try await fixture.source.fetchesCancelled()
        gate.open()
        _ = try await client.value
        #expect(fixture.source.fetchCount(of: "thief") == 0)
        #expect(warmer.submit(try self.requests(["thief"])).queued == 1, "and new ones are taken")
        try await eventually { warmer.pendingCount == 0 }
        warmer.close()
        #expect(warmer.submit(try self.requests(["ronin"], widths: [70])) == .init(refused: 1))
    }

    @Test func refusedRequestsAreRetriedLater() async throws {
        let fixture = self.fixture()
        fixture.source.fail(.originBusy(retryAfter: 7), for: "heat")
        let pauses = EventRecorder()
        let source = fixture.source
        let warmer = Warmer(pipeline: fixture.pipeline, concurrency: 1) { pause in
            pauses.add("\(pause)")
            if pauses.all.count == 2 { source.set(TestPicture.jpeg(width: 200, height: 300), for: "heat") }
        }
        let outcome = try await warmer.run(try self.requests(["heat"])) { _ in }
        #expect(outcome.made == 1 && pauses.all == ["7.0 seconds", "7.0 seconds"])
        source.fail(.overloaded(retryAfter: 1), for: "ronin")
        let failed = try await warmer.run(try self.requests(["ronin"])) { _ in }
        #expect(failed.failed == 1 && pauses.all.count == 2 + Warmer.tryLimit - 1, "but not for ever")
    }

    @Test func closingEndsARunThatIsAwaited() async throws {
        let fixture = self.fixture(gate: Gate())
        let warmer = Warmer(pipeline: fixture.pipeline, concurrency: 2)
        let requests = try self.requests(["heat", "ronin", "thief"])
        let run = Task { try await warmer.run(requests) { _ in } }
        try await fixture.source.fetchesArrived(of: "heat")
        try await fixture.source.fetchesArrived(of: "ronin")
        warmer.close()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(fixture.source.fetchCount(of: "thief") == 0)
        await #expect(throws: CancellationError.self) { try await warmer.run(requests) { _ in } }
    }

    @Test func aRunReportsEachOutcome() async throws {
        let fixture = self.fixture()
        let warmer = Warmer(pipeline: fixture.pipeline, concurrency: 2)
        _ = try await fixture.answer(try PipelineFixture.request("heat", width: 92))
        let done = EventRecorder()
        let outcome = try await warmer.run(try self.requests(["heat", "ronin", "nowhere"])) { done.add("\($0)") }
        #expect((outcome.made, outcome.cached, outcome.failed) == (1, 1, 1))
        let nowhere = try PosterID(key: "nowhere")
        #expect(outcome.failures == [nowhere: .unknownPoster(nowhere)])
        #expect(done.all == ["1", "2", "3"])
    }
}

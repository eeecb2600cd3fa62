import Flights
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

/// Renders from planes of a 400×600 original. Its full-size planes serve all widths of the usual ladder.
@Suite(.timeLimit(.hang))
struct RenderFromPlanesTests {
    /// Needs a decode at full size.
    private let large = 342
    /// Needs a decode at half size.
    private let small = 92

    private func fixture(
        gate: Gate? = nil, threads: Int = 1, queueLimit: Int = 100, budget: Int = 8 << 20, clock: HeldLook? = nil
    ) -> PipelineFixture {
        let clock = clock ?? HeldLook(at: 0)
        let fixture = PipelineFixture(
            gate: gate, threads: threads, queueLimit: queueLimit, now: clock.now, planesBudget: budget)
        fixture.source.set(
            TestPicture.jpeg(width: 400, height: 600), for: "heat", etag: "\"1\"",
            caching: CachingFields(cacheControl: "max-age=86400"))
        return fixture
    }

    private func client(
        _ width: Int, of fixture: PipelineFixture, key: String = "heat", format: OutputFormat = .jpeg,
        level: Urgency.Level = .interactive
    ) throws -> Task<(Poster, Provenance), any Error> {
        let request = try PipelineFixture.request(key, width: width, format: format)
        return Task { try PipelineFixture.variant(try await fixture.answer(request, level: level)) }
    }

    private func poster(
        _ width: Int, of fixture: PipelineFixture, key: String = "heat", format: OutputFormat = .jpeg
    ) async throws -> Poster {
        try await self.client(width, of: fixture, key: key, format: format).value.0
    }

    /// Lets clients wait for the only thread together.
    private func together(
        _ clients: [(Int, Urgency.Level)], of fixture: PipelineFixture, while body: () async throws -> Void = {}
    ) async throws -> [Task<(Poster, Provenance), any Error>] {
        let (release, end) = try await fixture.occupyThread()
        var tasks: [Task<(Poster, Provenance), any Error>] = []
        for (width, level) in clients {
            tasks.append(try self.client(width, of: fixture, level: level))
            try await eventually { fixture.pipeline.renderWaiterCount == tasks.count }
        }
        try await eventually { fixture.threads.usage.waitingCount >= 1 }
        try await body()
        release.open()
        try await end.value
        return tasks
    }

    private func ended(_ fixture: PipelineFixture) async throws {
        try await eventually { fixture.pipeline.jobCount == 0 && fixture.threads.load == 0 }
        try await eventually { fixture.pipeline.hasNoWantedTargets }
        #expect(fixture.threads.usage.weight == 0)
    }

    /// A variant that has not been looked up.
    private func flight(
        _ width: Int, of fixture: PipelineFixture, _ level: Urgency.Level = .interactive,
        for caller: Waiter<RenderedPoster>? = nil
    ) throws -> RenderScheduler.Table.Flight {
        let id = try PosterID(key: "heat")
        let facts = try #require(fixture.pipeline.library.metadata.entry(for: id)).facts
        let target = RenderTarget(width: width, format: .jpeg)
        var flight = RenderScheduler.Table.Flight(
            key: try VariantKey(id: id, facts: facts, target: target), target: target,
            plan: try RenderPlan(facts.header, target: target), original: .unopened(id, facts),
            epoch: fixture.pipeline.library.metadata.epoch(of: id), level: level)
        if let caller { flight.callers = [caller] }
        return flight
    }

    private func decodes(_ fixture: PipelineFixture) -> Int { fixture.pipeline.status.decodes }

    @Test("widths that rise are two decodes: the second leaves planes for all of the ladder")
    func rising() async throws {
        let fixture = self.fixture(budget: 64 << 20)
        fixture.source.set(
            TestPicture.jpeg(width: 1600, height: 2400), for: "heat", etag: "\"2\"",
            caching: CachingFields(cacheControl: "max-age=86400"))
        // Each needs a larger decode than the previous one.
        for width in [92, 154, 500, 780] { _ = try await self.poster(width, of: fixture) }
        #expect((self.decodes(fixture), fixture.pipeline.status.planeHits) == (2, 2))
    }

    @Test("a later request for another width or format is rendered without a decode and without the original")
    func later() async throws {
        let fixture = self.fixture()
        _ = try await self.poster(self.large, of: fixture)
        #expect(fixture.pipeline.status.planesCount == 1 && fixture.pipeline.status.planesBytes > 200_000)
        for (width, format) in [(self.small, OutputFormat.jpeg), (154, .webp), (self.large, .png)] {
            let poster = try await self.poster(width, of: fixture, format: format)
            #expect(poster.size.width == width)
        }
        let status = fixture.pipeline.status
        #expect((status.decodes, status.planeMisses) == (1, 1) && (status.planeHits, status.renders) == (3, 4))
        #expect(fixture.source.fetchCount(of: "heat") == 1)
        #expect(fixture.pipeline.counters.value(of: .originalHit) == 0, "the original was not looked up")
        try await self.ended(fixture)
    }

    @Test("what comes from planes has the bytes and the tag of a shared decode, which is known before")
    func bytes() async throws {
        let gate = Gate()
        let (crowd, fixture) = (self.fixture(gate: gate, budget: 0), self.fixture())
        let clients = try [self.large, self.small].map { try self.client($0, of: crowd) }
        let id = try PosterID(key: "heat")
        try await eventually { crowd.pipeline.originalWaiterCount(for: id) == 2 }
        gate.open()
        let shared = try await clients[1].value.0
        _ = try await clients[0].value
        #expect(self.decodes(crowd) == 1)
        _ = try await self.poster(self.large, of: fixture)
        let poster = try await self.poster(self.small, of: fixture)
        #expect(self.decodes(fixture) == 1)
        #expect(poster.entityTag == shared.entityTag && poster.bytes == shared.bytes)
        let other = self.fixture()
        let request = try PipelineFixture.request("heat", width: self.small)
        guard case .notModified(poster.entityTag, _) = try await other.answer(request, holding: poster.entityTag) else {
            Issue.record("sent again")
            return
        }
        #expect(self.decodes(other) == 0)
    }

    @Test("a tag of a variant from planes of its own scale is one of those it may have")
    func ownScale() async throws {
        let fixture = self.fixture()
        _ = try await self.poster(self.large, of: fixture)
        let poster = try await self.poster(300, of: fixture)
        #expect(self.decodes(fixture) == 1)
        let request = try PipelineFixture.request("heat", width: 300)
        guard
            case .notModified(poster.entityTag, _) = try await self.fixture().answer(request, holding: poster.entityTag)
        else {
            Issue.record("sent again")
            return
        }
    }

    @Test("of six widths those that are there have one decode, and later ones none")
    func crowd() async throws {
        let gate = Gate()
        let fixture = self.fixture(gate: gate, threads: 2)
        let early = try [92, 342, 400].map { try self.client($0, of: fixture) }
        let id = try PosterID(key: "heat")
        try await eventually { fixture.pipeline.originalWaiterCount(for: id) == early.count }
        gate.open()
        for client in early { _ = try await client.value }
        let late = try [154, 185, 300].map { try self.client($0, of: fixture) }
        for client in late { _ = try await client.value }
        #expect(fixture.source.fetchCount(of: "heat") == 1 && self.decodes(fixture) == 1)
        #expect(fixture.pipeline.status.renders == 6)
        try await self.ended(fixture)
    }

    @Test("posters of the same bytes share planes")
    func sameBytes() async throws {
        let fixture = self.fixture()
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "copy")
        _ = try await self.poster(self.large, of: fixture)
        _ = try await self.poster(self.small, of: fixture, key: "copy")
        #expect(self.decodes(fixture) == 1 && fixture.pipeline.status.planesCount == 1)
    }

    @Test("planes that serve some of a job's variants make these at once, and the rest is decoded")
    func some() async throws {
        let fixture = self.fixture()
        _ = try await self.poster(self.small, of: fixture)
        #expect(fixture.pipeline.status.planesCount == 1)
        let clients = try await self.together([(60, .interactive), (self.large, .interactive)], of: fixture)
        for client in clients { _ = try await client.value }
        #expect(self.decodes(fixture) == 2 && fixture.pipeline.status.planeHits == 1)
        // The larger planes have replaced the others.
        _ = try await self.poster(300, of: fixture)
        #expect(self.decodes(fixture) == 2 && fixture.pipeline.status.planesCount == 1)
        try await self.ended(fixture)
    }

    @Test("a decode for more urgent variants does not wait for others that planes serve")
    func urgency() async throws {
        let fixture = self.fixture()
        _ = try await self.poster(self.small, of: fixture)
        var outcome = Result<Void, any Error>.success(())
        _ = try? await withWaiter { (caller: Waiter<RenderedPoster>) in
            outcome = Result { try self.urgency(of: fixture, caller) }
            caller.resume(throwing: CancellationError())
        } cancel: { _ in
        }
        try outcome.get()
    }

    private func urgency(of fixture: PipelineFixture, _ caller: Waiter<RenderedPoster>) throws {
        let jobs = fixture.pipeline.scheduler
        let large = try self.flight(self.large, of: fixture, for: caller)
        let cases: [(Urgency.Level, Int?)] = [(.warming, nil), (.interactive, 1)]
        for (level, count) in cases {
            let flights = [try self.flight(60, of: fixture, level, for: caller), large]
            #expect(jobs.served(flights)?.1.count == count)
        }
        #expect(jobs.served([try self.flight(60, of: fixture, .warming, for: caller)])?.1.count == 1)
        #expect(jobs.served([large]) == nil)
        #expect(jobs.served([try self.flight(60, of: fixture), large]) == nil, "only announced")
    }

    @Test("planes that go before a thread takes the job are made once more")
    func gone() async throws {
        let fixture = self.fixture()
        _ = try await self.poster(self.large, of: fixture)
        let clients = try await self.together([(self.small, .interactive), (60, .interactive)], of: fixture) {
            fixture.pipeline.planes.relieve(to: 0)
        }
        #expect(try await clients[0].value.0.size.width == self.small)
        #expect(try await clients[1].value.0.size.width == 60)
        #expect(self.decodes(fixture) >= 2 && fixture.source.fetchCount(of: "heat") == 1)
        #expect(fixture.pipeline.status.planeHits == 0)
        try await self.ended(fixture)
    }

    @Test("a request that has opened the original opens it for those that joined the job before")
    func opening() async throws {
        let fixture = self.fixture()
        _ = try await self.poster(self.large, of: fixture)
        let (release, end) = try await fixture.occupyThread()
        let request = try PipelineFixture.request("heat", width: self.small)
        let first = Task { try await fixture.answer(request) }
        try await eventually { fixture.pipeline.renderWaiterCount == 1 }
        fixture.pipeline.planes.relieve(to: 0)
        let second = Task { try await fixture.answer(request) }
        try await eventually { fixture.pipeline.renderWaiterCount == 2 }
        release.open()
        try await end.value
        for client in [first, second] { _ = try PipelineFixture.variant(try await client.value) }
        #expect(self.decodes(fixture) == 2 && fixture.pipeline.counters.value(of: .missed) == 3)
        try await self.ended(fixture)
    }

    @Test("with a budget of 0 every render is as without planes")
    func noBudget() async throws {
        let fixture = self.fixture(budget: 0)
        for width in [self.large, self.small] { _ = try await self.poster(width, of: fixture) }
        let status = fixture.pipeline.status
        #expect(status.decodes == 2 && (status.planeHits, status.planeMisses) == (0, 0))
        #expect((status.planesCount, status.planesBytes, status.planesByteBudget) == (0, 0, 0))
    }

    // MARK: Originals that go

    @Test("a purge drops the planes, also of an original that memory knows nothing of")
    func purge() async throws {
        let fixture = self.fixture()
        let id = try PosterID(key: "heat")
        for isKnown in [true, false] {
            _ = try await self.poster(self.large, of: fixture)
            #expect(fixture.pipeline.status.planesCount == 1)
            if !isKnown {
                let planes = try #require(
                    fixture.pipeline.library.metadata.entry(for: id).flatMap {
                        fixture.pipeline.planes.planes(of: $0.facts.digest)
                    })
                fixture.pipeline.library.metadata.forget(id)
                #expect(fixture.pipeline.planes.insert(planes, of: Digest(of: "heat"), for: id))
            }
            #expect(try await fixture.pipeline.purge(id))
            #expect(fixture.pipeline.status.planesCount == 0)
        }
    }

    @Test("a replaced original's planes are dropped")
    func replaced() async throws {
        let fixture = self.fixture()
        let first = try await self.poster(self.large, of: fixture)
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600, seed: 2), for: "heat", etag: "\"2\"")
        fixture.day.advance(by: .seconds(86_400))
        _ = try fixture.known(try PipelineFixture.request("heat", width: self.large))
        try await eventually {
            fixture.source.fetchCount(of: "heat") == 2 && fixture.pipeline.status.revalidations == 0
        }
        #expect(fixture.pipeline.status.planesCount == 0)
        #expect(try await self.poster(self.large, of: fixture).bytes != first.bytes)
        #expect(self.decodes(fixture) == 2 && fixture.pipeline.status.planesCount == 1)
    }

    @Test("a source that is withdrawn takes its planes along")
    func withdrawn() async throws {
        let fixture = self.fixture()
        _ = try await self.poster(self.large, of: fixture)
        fixture.pipeline.forget(sources: [try PosterID(key: "heat").source])
        #expect(fixture.pipeline.status.planesCount == 0)
        _ = try await self.poster(self.small, of: fixture)
        #expect(fixture.pipeline.status.planesCount == 0)
    }

    @Test("a purge during a decode leaves no planes", arguments: [false, true])
    func purgedMeanwhile(isQueued: Bool) async throws {
        let clock = HeldLook(at: isQueued ? 0 : 20)
        let fixture = self.fixture(clock: clock)
        let id = try PosterID(key: "heat")
        if isQueued {
            let clients = try await self.together([(self.large, .interactive)], of: fixture) {
                let wasStored = try await fixture.pipeline.purge(id)
                #expect(wasStored)
            }
            _ = try await clients[0].value
        } else {
            let client = try self.client(self.large, of: fixture)
            try await clock.reached.wait()
            #expect(try await fixture.pipeline.purge(id))
            clock.release.open()
            _ = try await client.value
        }
        try await self.ended(fixture)
        #expect(fixture.pipeline.status.planesCount == 0 && fixture.variants.usage.count == 0)
    }

    @Test("an original that is replaced during its decode leaves no planes")
    func replacedMeanwhile() async throws {
        let clock = HeldLook(at: 20)
        let fixture = self.fixture(clock: clock)
        let client = try self.client(self.large, of: fixture)
        try await clock.reached.wait()
        let id = try PosterID(key: "heat")
        let before = try #require(fixture.pipeline.library.metadata.entry(for: id)).facts.digest
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600, seed: 2), for: "heat", etag: "\"2\"")
        fixture.day.advance(by: .seconds(86_400))
        _ = try fixture.known(try PipelineFixture.request("heat", width: 60))
        try await eventually {
            fixture.source.fetchCount(of: "heat") == 2 && fixture.pipeline.status.revalidations == 0
        }
        clock.release.open()
        _ = try await client.value
        #expect(fixture.pipeline.planes.planes(of: before) == nil && fixture.pipeline.status.planesCount == 1)
        #expect(fixture.pipeline.status.discarded == 1)
        try await self.ended(fixture)
    }

    @Test("a purge during a render from planes stores nothing")
    func purgedRender() async throws {
        let rehearsal = HeldLook(at: 0)
        let first = self.fixture(clock: rehearsal)
        _ = try await self.poster(self.large, of: first)
        let clock = HeldLook(at: rehearsal.count + 3)
        let fixture = self.fixture(clock: clock)
        _ = try await self.poster(self.large, of: fixture)
        let client = try self.client(self.small, of: fixture)
        try await clock.reached.wait()
        #expect(fixture.pipeline.status.planeHits == 1)
        #expect(try await fixture.pipeline.purge(try PosterID(key: "heat")))
        clock.release.open()
        #expect(try await !client.value.1.isStored)
        try await self.ended(fixture)
        #expect(fixture.variants.usage.count == 0 && fixture.pipeline.status.planesCount == 0)
    }

    // MARK: Clients that leave, and overload

    @Test("the last client that leaves stops a render from planes, and the planes stay")
    func leaving() async throws {
        let rehearsal = HeldLook(at: 0)
        let first = self.fixture(clock: rehearsal)
        _ = try await self.poster(self.large, of: first)
        let clock = HeldLook(at: rehearsal.count + 3)
        let fixture = self.fixture(clock: clock)
        _ = try await self.poster(self.large, of: fixture)
        let client = try self.client(self.small, of: fixture)
        try await clock.reached.wait()
        client.cancel()
        await #expect(throws: CancellationError.self) { try await client.value }
        clock.release.open()
        try await self.ended(fixture)
        #expect(fixture.pipeline.status.renders == 1 && fixture.pipeline.status.planesCount == 1)
        _ = try await self.poster(self.small, of: fixture)
        #expect(self.decodes(fixture) == 1 && fixture.pipeline.status.renders == 2)
    }

    @Test("a full queue refuses what planes would serve, too")
    func overload() async throws {
        let fixture = self.fixture(queueLimit: 0)
        _ = try await self.poster(self.large, of: fixture)
        // A variant is delivered before its thread is free, and no work may wait for that here.
        try await self.ended(fixture)
        let (release, end) = try await fixture.occupyThread()
        let error = await #expect(throws: PosterError.self) { try await self.poster(self.small, of: fixture) }
        guard case .overloaded? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        release.open()
        try await end.value
        try await self.ended(fixture)
        _ = try await self.poster(self.small, of: fixture)
        #expect(self.decodes(fixture) == 1)
        try await self.ended(fixture)
    }

    @Test("a render from planes needs no memory for a decoder or for the original")
    func weight() async throws {
        let fixture = self.fixture()
        _ = try await self.poster(self.large, of: fixture)
        let (jobs, flight) = (fixture.pipeline.scheduler, try self.flight(self.small, of: fixture))
        let weight = jobs.weight(of: [flight])
        #expect(weight > 0 && weight < 1 << 20)
        fixture.pipeline.planes.relieve(to: 0)
        #expect(jobs.weight(of: [flight]) == flight.plan.workingBytes)
    }

    @Test("posters that are purged while they are requested in many sizes are answered, and the budget is kept")
    func storm() async throws {
        let fixture = self.fixture(threads: 3, budget: 3 << 20)
        let keys = (0..<6).map { "poster\($0)" }
        for (seed, key) in keys.enumerated() {
            fixture.source.set(TestPicture.jpeg(width: 400, height: 600, seed: UInt64(seed)), for: key)
        }
        // A few at a time: targets that wait together share a decode.
        for wave in 0..<25 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in (12 * wave)..<(12 * wave + 12) {
                    let (key, width) = (keys[index % 6], 60 + 17 * (index / 6 % 20))
                    group.addTask {
                        if index.isMultiple(of: 11) {
                            _ = try await fixture.pipeline.purge(try PosterID(key: key))
                        } else {
                            #expect(try await self.poster(width, of: fixture, key: key).size.width == width)
                        }
                        #expect(fixture.pipeline.status.planesBytes <= fixture.pipeline.status.planesByteBudget)
                    }
                }
                try await group.waitForAll()
            }
        }
        try await self.ended(fixture)
        #expect(fixture.pipeline.status.planeHits > 0)
    }
}

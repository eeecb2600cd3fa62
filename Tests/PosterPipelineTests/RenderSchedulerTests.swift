import Flights
import PictureTesting
import PosterCodec
import PosterTesting
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct RenderSchedulerTests {
    /// Needs a decode at full size.
    private let large = 342
    /// Needs a decode at half size.
    private let small = 92

    private func fixture(
        threads: Int = 1, queueLimit: Int = 100, weightLimit: Int = .max, clock: HeldLook? = nil
    ) -> PipelineFixture {
        let fixture: PipelineFixture
        if let clock {
            fixture = PipelineFixture(
                threads: threads, queueLimit: queueLimit, weightLimit: weightLimit, now: clock.now)
        } else {
            fixture = PipelineFixture(threads: threads, queueLimit: queueLimit, weightLimit: weightLimit)
        }
        fixture.source.set(
            TestPicture.jpeg(width: 400, height: 600), for: "heat", etag: "\"1\"",
            caching: CachingFields(cacheControl: "max-age=86400"))
        return fixture
    }

    private func client(
        _ width: Int, of fixture: PipelineFixture, format: OutputFormat = .jpeg, level: Urgency.Level = .interactive
    ) throws -> Task<(Poster, Provenance), any Error> {
        let request = try PipelineFixture.request("heat", width: width, format: format)
        return Task { try PipelineFixture.variant(try await fixture.answer(request, level: level)) }
    }

    /// Lets clients of some widths, formats and levels wait for a thread together.
    private func together(
        _ clients: [(Int, OutputFormat, Urgency.Level)], of fixture: PipelineFixture
    ) async throws -> [Task<(Poster, Provenance), any Error>] {
        var holders: [(release: Latch, end: Task<Void, any Error>)] = []
        while fixture.threads.usage.held < fixture.threads.count { holders.append(try await fixture.occupyThread()) }
        var tasks: [Task<(Poster, Provenance), any Error>] = []
        for (width, format, level) in clients {
            tasks.append(try self.client(width, of: fixture, format: format, level: level))
            try await eventually { fixture.pipeline.renderWaiterCount == tasks.count }
        }
        try await eventually { fixture.threads.usage.waitingCount >= 1 }
        for holder in holders { holder.release.open() }
        for holder in holders { try await holder.end.value }
        return tasks
    }

    private func ended(_ fixture: PipelineFixture) async throws {
        try await eventually { fixture.pipeline.jobCount == 0 && fixture.threads.load == 0 }
        try await eventually { fixture.pipeline.hasNoWantedTargets }
        #expect(fixture.threads.usage.weight == 0)
    }

    @Test("widths that wait for a thread together are made in one decode, and count as one in the queue")
    func queued() async throws {
        let fixture = self.fixture(queueLimit: 1)
        let clients = try await self.together(
            [(self.small, .jpeg, .interactive), (self.large, .jpeg, .interactive), (self.large, .webp, .interactive)],
            of: fixture)
        var sizes: [Int] = []
        for client in clients { sizes.append(try await client.value.0.size.width) }
        #expect(sizes == [self.small, self.large, self.large])
        #expect(fixture.pipeline.status.decodes == 1 && fixture.pipeline.status.renders == 3)
        try await self.ended(fixture)
    }

    @Test("a request after decoding has begun is the next job's")
    func late() async throws {
        let clock = HeldLook(at: 20)
        let fixture = self.fixture(threads: 2, clock: clock)
        let first = try self.client(self.large, of: fixture)
        try await clock.reached.wait()
        #expect(try await self.client(self.small, of: fixture).value.0.size.width == self.small)
        clock.release.open()
        _ = try await first.value
        #expect(fixture.pipeline.status.decodes == 2)
        try await self.ended(fixture)
    }

    @Test("a client that leaves takes only its width along")
    func leaving() async throws {
        let clock = HeldLook(at: 20)
        let fixture = self.fixture(clock: clock)
        let clients = try await self.together(
            [(self.small, .jpeg, .interactive), (self.large, .jpeg, .interactive)], of: fixture)
        try await clock.reached.wait()
        clients[1].cancel()
        await #expect(throws: CancellationError.self) { try await clients[1].value }
        clock.release.open()
        #expect(try await clients[0].value.0.size.width == self.small)
        try await self.ended(fixture)
        #expect(fixture.pipeline.status.renders == 1 && fixture.variants.usage.count == 1)
        #expect(fixture.pipeline.counters.value(of: .dropped) == 1)
    }

    @Test("the last client that leaves stops the decode of all widths")
    func allLeave() async throws {
        let clock = HeldLook(at: 20)
        let fixture = self.fixture(clock: clock)
        let clients = try await self.together(
            [(self.small, .jpeg, .interactive), (self.large, .webp, .interactive)], of: fixture)
        try await clock.reached.wait()
        for client in clients { client.cancel() }
        for client in clients { await #expect(throws: CancellationError.self) { try await client.value } }
        clock.release.open()
        try await self.ended(fixture)
        #expect(fixture.pipeline.status.renders == 0 && fixture.variants.usage.count == 0)
    }

    @Test("clients of all widths that leave the queue take the job along")
    func allLeaveTheQueue() async throws {
        let fixture = self.fixture()
        let (release, end) = try await fixture.occupyThread()
        let clients = try [self.small, self.large].map { try self.client($0, of: fixture) }
        try await eventually { fixture.pipeline.renderWaiterCount == 2 && fixture.threads.usage.waitingCount == 1 }
        for client in clients { client.cancel() }
        for client in clients { await #expect(throws: CancellationError.self) { try await client.value } }
        try await eventually { fixture.threads.usage.waitingCount == 0 }
        release.open()
        try await end.value
        try await self.ended(fixture)
        #expect(fixture.pipeline.status.decodes == 0)
    }

    @Test("a warm-up joins a client's decode, and does not enlarge it")
    func warmUps() async throws {
        for (width, decodes) in [(60, 1), (self.large, 2)] {
            let fixture = self.fixture()
            let clients = try await self.together(
                [(width, .jpeg, .warming), (self.small, .jpeg, .interactive)], of: fixture)
            for client in clients { _ = try await client.value }
            #expect(fixture.pipeline.status.decodes == decodes)
            try await self.ended(fixture)
        }
    }

    @Test("a client's render does not wait for a warm-up's encodings")
    func givingWay() async throws {
        let warmUps: [(Int, OutputFormat, Urgency.Level)] = [(300, .webp, .warming), (self.large, .webp, .warming)]
        let all = HeldLook(at: 0)
        let rehearsal = self.fixture(clock: all)
        for client in try await self.together(warmUps, of: rehearsal) { _ = try await client.value }
        // Each encoding reads the clock twice. The first ten readings after the decode are the client's decode.
        let (decoding, client) = (HeldLook(at: 20), HeldLook(at: all.count - 4 + 10))
        let fixture = PipelineFixture(
            threads: 1,
            now: {
                _ = client.now()
                return decoding.now()
            })
        for key in ["heat", "ronin"] { fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: key) }
        let warming = try await self.together(warmUps, of: fixture)
        try await decoding.reached.wait()
        let request = try PipelineFixture.request("ronin", width: self.small)
        let asking = Task { try await fixture.answer(request) }
        try await eventually { fixture.threads.usage.waiting[.interactive] == 1 }
        decoding.release.open()
        try await client.reached.wait()
        #expect(fixture.pipeline.status.decodes == 2 && fixture.pipeline.status.renders == 0)
        // The warm-ups' pictures are charged meanwhile: two of three planes each, for libwebp.
        let pictures = 300 * 450 * 3 / 2 + self.large * self.large * 3 / 2 * 3 / 2
        let original = try inspect(TestPicture.jpeg(width: 400, height: 600).span.bytes, limits: .init())
        let own = try RenderPlan(original, target: RenderTarget(width: self.small, format: .jpeg)).workingBytes
        #expect(fixture.threads.usage.weight >= own + pictures)
        client.release.open()
        _ = try await asking.value
        for client in warming { _ = try await client.value }
        #expect(fixture.pipeline.status.decodes == 2 && fixture.pipeline.status.renders == 3)
        try await self.ended(fixture)
    }

    @Test("idle threads encode, too")
    func helping() async throws {
        let pair: [(Int, OutputFormat, Urgency.Level)] = [
            (300, .webp, .interactive), (self.large, .webp, .interactive),
        ]
        let all = HeldLook(at: 0)
        let rehearsal = self.fixture(clock: all)
        for client in try await self.together(pair, of: rehearsal) { _ = try await client.value }
        // One encoding is held at its start, on either thread; the other ends.
        let (decoding, encoding) = (HeldLook(at: 20), HeldLook(at: all.count - 3))
        let fixture = PipelineFixture(
            threads: 2,
            now: {
                _ = decoding.now()
                return encoding.now()
            })
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        let clients = try await self.together(pair, of: fixture)
        // A thread helps only if it is idle when the encodings begin.
        try await decoding.reached.wait()
        try await eventually { fixture.threads.usage.held == 1 }
        decoding.release.open()
        try await encoding.reached.wait()
        try await eventually { fixture.pipeline.status.renders == 1 }
        encoding.release.open()
        for client in clients { _ = try await client.value }
        #expect(fixture.pipeline.status.decodes == 1)
        try await self.ended(fixture)
    }

    @Test("a job over the memory that is left begins with fewer targets")
    func memory() async throws {
        let header = try inspect(TestPicture.jpeg(width: 400, height: 600).span.bytes, limits: .init())
        let alone = try RenderPlan(header, target: RenderTarget(width: self.large, format: .webp)).workingBytes
        let fixture = self.fixture(threads: 2, weightLimit: 10 * alone)
        // The remaining weight suffices for some of them, but not for all.
        let (held, release) = (Gate(), Latch())
        let holder = Task {
            try await fixture.threads.run(weight: 9 * alone) {
                held.open()
                release.wait()
            }
        }
        try await held.wait()
        let clients = try await self.together(
            (0..<4).map { (self.large - $0, .webp, .interactive) }, of: fixture)
        for client in clients { _ = try await client.value }
        #expect(fixture.pipeline.status.decodes > 1 && fixture.pipeline.status.renders == 4)
        release.open()
        try await holder.value
        try await self.ended(fixture)
    }

    @Test("with a budget for one variant each has a decode of its own")
    func leastMemory() async throws {
        let fixture = self.fixture(weightLimit: 1)
        let clients = try await self.together(
            [(self.small, .jpeg, .interactive), (self.large, .webp, .warming), (self.large, .jpeg, .interactive)],
            of: fixture)
        for client in clients { _ = try await client.value }
        #expect(fixture.pipeline.status.decodes == 3)
        try await self.ended(fixture)
    }

    @Test("a full queue refuses the whole job")
    func overload() async throws {
        let fixture = self.fixture(queueLimit: 0)
        _ = try await self.client(60, of: fixture).value
        let (release, end) = try await fixture.occupyThread()
        let clients = try [self.small, self.large].map { try self.client($0, of: fixture) }
        for client in clients {
            let error = await #expect(throws: PosterError.self) { try await client.value }
            guard case .overloaded? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        release.open()
        try await end.value
        try await self.ended(fixture)
        _ = try await self.client(self.small, of: fixture).value
    }

    @Test("an original replaced during a job is discarded for all its widths")
    func replaced() async throws {
        let clock = HeldLook(at: 20)
        let fixture = self.fixture(clock: clock)
        let clients = try await self.together(
            [(self.small, .jpeg, .interactive), (self.large, .jpeg, .interactive)], of: fixture)
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
        for client in clients {
            let (_, provenance) = try await client.value
            #expect(provenance.original?.digest != before)
        }
        #expect(fixture.pipeline.status.discarded == 2 && fixture.variants.usage.count == 2)
        try await self.ended(fixture)
    }

    @Test("a purge during a job stores nothing")
    func purged() async throws {
        let clock = HeldLook(at: 20)
        let fixture = self.fixture(clock: clock)
        let clients = try await self.together(
            [(self.small, .jpeg, .interactive), (self.large, .jpeg, .interactive)], of: fixture)
        try await clock.reached.wait()
        #expect(try await fixture.pipeline.purge(try PosterID(key: "heat")))
        clock.release.open()
        for client in clients {
            let (_, provenance) = try await client.value
            #expect(!provenance.isStored)
        }
        try await self.ended(fixture)
        #expect(fixture.variants.usage.count == 0)
    }

    @Test("a decode that took too much CPU is not tried again at that scale, and the smaller ones are")
    func cpuTime() async throws {
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 2_000_000_000
        let cpu = ManualClock()
        let looks = Counter()
        let fixture = PipelineFixture(
            threads: 1, limits: limits,
            cpuTime: {
                looks.increment()
                // The first four readings add a second each: the first decode takes three.
                if looks.value <= 4 { cpu.advance(by: .seconds(1)) }
                return cpu.now()
            })
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        let clients = try await self.together(
            [(self.small, .jpeg, .interactive), (self.large, .jpeg, .interactive)], of: fixture)
        let expected = PosterError.overLimit(
            reason: "over the limit of CPU time in milliseconds: it has 3000, the maximum is 2000")
        await #expect(throws: expected) { try await clients[1].value }
        #expect(try await clients[0].value.0.size.width == self.small)
        await #expect(throws: expected) { try await self.client(self.large, of: fixture).value }
        #expect(fixture.pipeline.status.decodes == 2 && fixture.store.count == 1)
        try await self.ended(fixture)
    }

    @Test("a damaged original fails all widths, and is fetched again once")
    func damaged() async throws {
        let fixture = self.fixture(threads: 1)
        var bad = TestPicture.jpeg(width: 400, height: 600)
        bad.replaceSubrange(bad.count / 2..<bad.count / 2 + 2, with: [0xFF, 0xD3])
        fixture.source.set(bad, for: "heat")
        let clients = try await self.together(
            [(self.small, .jpeg, .interactive), (self.large, .webp, .interactive)], of: fixture)
        for client in clients {
            let error = await #expect(throws: PosterError.self) { try await client.value }
            guard case .badOriginal? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(fixture.store.count == 0 && fixture.pipeline.status.decodes == 1)
        try await self.ended(fixture)
    }

    @Test("requests in many sizes, some of which leave, are all answered and leave nothing behind")
    func storm() async throws {
        let gate = Gate()
        let fixture = PipelineFixture(gate: gate, threads: 3)
        fixture.source.set(TestPicture.jpeg(width: 400, height: 600), for: "heat")
        let clients = try (0..<300).map { index in
            try self.client(
                20 + 7 * (index % 40), of: fixture, format: index % 5 == 0 ? .webp : .jpeg,
                level: Urgency.Level.allCases[index % 3])
        }
        let id = try PosterID(key: "heat")
        try await eventually { fixture.pipeline.originalWaiterCount(for: id) == clients.count }
        gate.open()
        for index in stride(from: 0, to: clients.count, by: 7) { clients[index].cancel() }
        for (index, client) in clients.enumerated() {
            do {
                let width = try await client.value.0.size.width
                #expect(width == 20 + 7 * (index % 40))
            } catch is CancellationError {
                #expect(index % 7 == 0)
            }
        }
        try await self.ended(fixture)
        #expect(fixture.source.fetchCount(of: "heat") == 1)
        #expect(fixture.pipeline.status.decodes < fixture.pipeline.status.renders)
    }
}

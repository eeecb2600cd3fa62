import CodecTesting
import CodecWorkers
import Flights
import HTTPSemantics
import PictureTesting
import PosterCodec
import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

/// Renders from planes of a 400×600 original that worker processes have decoded.
@Suite(.timeLimit(.hang))
struct IsolatedPlanesTests {
    private let workers: CodecWorkerPool

    init() throws {
        var configuration = CodecWorkerPool.Configuration(count: 1)
        configuration.program = FaultyWorkerProgram.path
        self.workers = try CodecWorkerPool(configuration)
    }

    private func fixture(
        _ bytes: [UInt8] = TestPicture.jpeg(width: 400, height: 600), isIsolated: Bool = true,
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        cpuTime: @escaping @Sendable () -> UInt64 = ThreadTime.nanoseconds
    ) -> PipelineFixture {
        let fixture = PipelineFixture(
            threads: 1, now: now, cpuTime: cpuTime, planesBudget: 8 << 20, workers: isIsolated ? self.workers : nil)
        fixture.source.set(bytes, for: "heat", caching: CachingFields(cacheControl: "max-age=86400"))
        return fixture
    }

    private func answer(
        _ width: Int, _ format: OutputFormat = .jpeg, of fixture: PipelineFixture
    ) async throws -> (poster: Poster, provenance: Provenance) {
        let request = try PipelineFixture.request("heat", width: width, format: format)
        return try PipelineFixture.variant(try await fixture.answer(request))
    }

    @Test("small renders from planes need no worker, and have the same bytes, counts and timings as on threads")
    func onThreads() async throws {
        let (isolated, plain) = (self.fixture(), self.fixture(isIsolated: false))
        let targets: [(Int, OutputFormat)] = [(342, .jpeg), (92, .jpeg), (154, .webp), (100, .png)]
        var jobs: [Int] = []
        for (width, format) in targets {
            let own = try await self.answer(width, format, of: isolated)
            let other = try await self.answer(width, format, of: plain)
            #expect(own.poster.bytes == other.poster.bytes && own.poster.entityTag == other.poster.entityTag)
            #expect(own.provenance.timings.decode > 0 && own.provenance.timings.encode > 0)
            jobs.append(self.workers.counters.jobs)
        }
        #expect(jobs[0] > 0 && jobs.allSatisfy { $0 == jobs[0] })
        for status in [isolated, plain].map(\.pipeline.status) {
            #expect((status.decodes, status.planeHits, status.renders, status.planesCount) == (1, 3, 4, 1))
        }
    }

    @Test("an ICC profile is read by workers only, and AVIFs are encoded there")
    func inWorkers() async throws {
        let plain = TestPicture.jpeg(width: 400, height: 600)
        let profiled = plain.splicing(JPEGSegment.profile(ICCProfile.displayP3().bytes))
        for (bytes, format) in [(profiled, OutputFormat.jpeg), (plain, .avif)] {
            let fixture = self.fixture(bytes)
            _ = try await self.answer(342, of: fixture)
            let jobs = self.workers.counters.jobs
            let own = try await self.answer(60, format, of: fixture)
            #expect(self.workers.counters.jobs == jobs + 1 && fixture.pipeline.status.planeHits == 1)
            let other = self.fixture(bytes, isIsolated: false)
            _ = try await self.answer(342, of: other)
            #expect(try await self.answer(60, format, of: other).poster.bytes == own.poster.bytes)
        }
    }

    @Test("the last client that leaves stops a render on a thread, too")
    func leaving() async throws {
        let rehearsal = HeldLook(at: 0)
        _ = try await self.answer(342, of: self.fixture(now: rehearsal.now))
        let clock = HeldLook(at: rehearsal.count + 3)
        let fixture = self.fixture(now: clock.now)
        _ = try await self.answer(342, of: fixture)
        let client = Task { try await self.answer(92, of: fixture) }
        try await clock.reached.wait()
        client.cancel()
        await #expect(throws: CancellationError.self) { try await client.value }
        clock.release.open()
        try await eventually { fixture.pipeline.jobCount == 0 && fixture.threads.load == 0 }
        #expect(fixture.threads.usage.weight == 0)
        #expect(fixture.pipeline.status.renders == 1 && fixture.pipeline.status.planesCount == 1)
    }

    /// The CPU time of threads that take ten seconds between two looks, once they are slow.
    private final class SlowThreads: Sendable {
        private let spent = Atomic<UInt64>(0)
        let isSlow = Atomic(false)

        func cpuTime() -> UInt64 {
            let step: UInt64 = self.isSlow.load(ordering: .relaxed) ? 10_000_000_000 : 0
            return self.spent.add(step, ordering: .relaxed).newValue
        }
    }

    @Test("a render on a thread has the limit of CPU time")
    func cpuTime() async throws {
        let threads = SlowThreads()
        let fixture = self.fixture(cpuTime: threads.cpuTime)
        _ = try await self.answer(342, of: fixture)
        threads.isSlow.store(true, ordering: .relaxed)
        let error = await #expect(throws: PosterError.self) { try await self.answer(92, of: fixture) }
        guard case .overLimit = error else { throw try #require(error) }
        #expect(fixture.pipeline.status.planeHits == 1 && fixture.pipeline.status.renders == 1)
    }
}

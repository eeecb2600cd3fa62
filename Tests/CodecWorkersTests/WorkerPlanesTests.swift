import CodecTesting
import PosterCodec
import Testing

@testable import CodecWorkers

@Suite(.ownThread) struct WorkerPlanesTests {
    private let pool: CodecWorkerPool
    private let memory = PlaneMemoryPool(spareBytes: 0)

    init() throws {
        self.pool = try WorkerFixture.pool()
    }

    /// The files of a job and of a later job from its planes, rendered in workers or on this thread.
    private func files(
        _ bytes: [UInt8], _ target: RenderTarget, later: [RenderTarget], inWorkers: Bool
    ) throws -> (first: [[UInt8]], later: [[UInt8]]) {
        let job = try WorkerFixture.retainingJob(bytes, target)
        let control = JobControl(targetCount: 1)
        let decoded = try bytes.withUnsafeBytes { bytes in
            inWorkers
                ? try self.pool.decode(.memory(bytes), job: job, limits: .init(), control: control, pool: self.memory)
                : try decodeJob(bytes.bytes, job: job, control: control, pool: self.memory)
        }
        let first = try WorkerFixture.files(of: decoded, 1, control)
        let planes = try #require(decoded.planes)
        #expect(planes.byteCount > 10_000)
        #expect(later.allSatisfy { planes.serves($0) })
        let next = planes.job(later.map { RenderJob.Target($0) })
        let nextControl = JobControl(targetCount: later.count)
        let rendered =
            inWorkers
            ? try self.pool.decode(planes, job: next, limits: .init(), control: nextControl)
            : try decodeJob(planes, job: next, control: nextControl)
        return (first, try WorkerFixture.files(of: rendered, later.count, nextControl))
    }

    @Test(arguments: [1, 3], [false, true])
    func planesOfAWorkerServeOthersLater(_ count: Int, _ hasProfile: Bool) throws {
        var bytes = try WorkerFixture.jpeg(width: 1000, height: 1500)
        if hasProfile { bytes = bytes.splicing(JPEGSegment.profile(ICCProfile.displayP3().bytes)) }
        let target = RenderTarget(width: 300, format: .jpeg)
        let later = [
            RenderTarget(width: 154, format: .webp), RenderTarget(width: 92, format: .jpeg),
            RenderTarget(width: 185, format: .avif),
        ].prefix(count)
        let own = try self.files(bytes, target, later: Array(later), inWorkers: true)
        let expected = try self.files(bytes, target, later: Array(later), inWorkers: false)
        #expect(own.first == expected.first)
        #expect(own.later == expected.later)
    }

    /// A job of a picture that leaves planes, in a worker.
    private func planes(_ bytes: [UInt8]) throws -> RetainedPlanes {
        let job = try WorkerFixture.retainingJob(bytes, RenderTarget(width: 300, format: .jpeg))
        let decoded = try bytes.withUnsafeBytes { bytes in
            try self.pool.decode(
                .memory(bytes), job: job, limits: .init(), control: JobControl(targetCount: 1), pool: self.memory)
        }
        return try #require(decoded.planes)
    }

    /// The file of a job from planes, on this thread.
    private func file(_ planes: RetainedPlanes, _ target: RenderTarget) throws -> [UInt8] {
        let control = JobControl(targetCount: 1)
        let decoded = try decodeJob(planes, job: planes.job([RenderJob.Target(target)]), control: control)
        return try WorkerFixture.files(of: decoded, 1, control)[0]
    }

    @Test("planes are the server's own: their worker uses its memory for the next ones, of any size")
    func ownCopies() throws {
        let pictures = try [(1000, 1500), (1000, 1500), (1400, 2100), (700, 900)].enumerated().map { index, side in
            try WorkerFixture.jpeg(width: side.0, height: side.1, comment: "\(index)", isProgressive: index == 1)
        }
        let target = RenderTarget(width: 92, format: .jpeg)
        let all = try pictures.map(self.planes)
        #expect(self.pool.counters.started <= 2 && self.pool.counters.jobs == pictures.count)
        for (bytes, planes) in zip(pictures, all) {
            let job = try WorkerFixture.retainingJob(bytes, RenderTarget(width: 300, format: .jpeg))
            let own = try decodeJob(
                bytes.span.bytes, job: job, control: JobControl(targetCount: 1), pool: self.memory)
            #expect(try self.file(planes, target) == (try self.file(try #require(own.planes), target)))
        }
    }

    @Test("planes of an original that arrives in pieces are those of the whole file", arguments: [2000, 100_000])
    func arrivingPlanes(_ pieceLength: Int) throws {
        // The second one is written over the first one in the worker's memory.
        for (width, height) in [(1400, 2100), (1000, 1500)] {
            let bytes = try WorkerFixture.jpeg(width: width, height: height)
            let job = try WorkerFixture.retainingJob(bytes, RenderTarget(width: 300, format: .jpeg))
            let memory = try #require(ArrivingMemory(declaredCount: bytes.count))
            let arriving = memory.makeBytes()
            let stepped = try WorkerSteppedJob(
                arriving, in: memory, job: job, limits: .init(), control: JobControl(targetCount: 1), pool: self.pool,
                planePool: self.memory)
            var decoded: DecodedJob?
            for start in stride(from: 0, to: bytes.count, by: pieceLength) {
                let end = min(start + pieceLength, bytes.count)
                #expect(bytes[start..<end].withUnsafeBytes { arriving.append($0) })
                if end == bytes.count { arriving.finish() }
                var step = try stepped.step(groupLimit: 4)
                while case .limit = step { step = try stepped.step(groupLimit: 4) }
                if case .decoded(let job) = step { decoded = job }
            }
            let own = try decodeJob(bytes.span.bytes, job: job, control: JobControl(targetCount: 1), pool: self.memory)
            for width in [92, 185] {
                let target = RenderTarget(width: width, format: .jpeg)
                let file = try self.file(try #require(decoded?.planes), target)
                #expect(file == (try self.file(try #require(own.planes), target)))
            }
        }
        #expect(self.pool.counters.failures == 0 && self.pool.usage.busy == 0)
    }

    @Test("rows written before a result stay within every job's limit of files, and the result has the others")
    func rowsAhead() throws {
        let bytes = try WorkerFixture.jpeg(width: 2200, height: 3300)
        let job = try WorkerFixture.retainingJob(bytes, RenderTarget(width: 2000, format: .jpeg), ladder: [2000])
        let memory = try #require(ArrivingMemory(declaredCount: bytes.count))
        let arriving = memory.makeBytes()
        let stepped = try SteppedJob(arriving, job: job, control: JobControl(targetCount: 1), pool: self.memory)
        var ahead = PlanesMemory()
        var written: [Range<Int>] = []
        #expect(bytes.dropLast(2).withUnsafeBytes { arriving.append($0) })
        guard case .arrived = try stepped.step() else {
            Issue.record("the job does not wait for the end")
            return
        }
        ahead.write(stepped, besides: &written)
        ahead.write(stepped, besides: &written)
        #expect(written.contains { $0.upperBound == PlanesMemory.aheadBytes })
        #expect(written.allSatisfy { $0.isEmpty || $0.upperBound <= PlanesMemory.aheadBytes })
        #expect(bytes.suffix(2).withUnsafeBytes { arriving.append($0) })
        arriving.finish()
        guard case .decoded(let decoded) = try stepped.step() else {
            Issue.record("the job has no result")
            return
        }
        let planes = try #require(decoded.planes)
        let (record, descriptor) = try ahead.export(planes, besides: written)
        let copied = RetainedPlanes(copying: record, of: job, pool: self.memory) { offset, buffer in
            readAll(descriptor, from: offset, into: buffer)
        }
        let target = RenderTarget(width: 2000, format: .png)
        #expect(try self.file(try #require(copied), target) == (try self.file(planes, target)))
    }

    @Test("a job without memory for planes leaves none")
    func noMemory() throws {
        let bytes = try WorkerFixture.jpeg(width: 1000, height: 1500)
        let job = try WorkerFixture.retainingJob(bytes, RenderTarget(width: 300, format: .jpeg))
        let decoded = try bytes.withUnsafeBytes { bytes in
            try self.pool.decode(.memory(bytes), job: job, limits: .init(), control: JobControl(targetCount: 1))
        }
        #expect(decoded.planes == nil)
    }
}

import CodecTesting
import PosterCodec
import Testing

@testable import CodecWorkers

@Suite(.ownThread) struct WorkerPlanesTests {
    private let pool: CodecWorkerPool

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
                ? try self.pool.decode(.memory(bytes), job: job, limits: .init(), control: control)
                : try decodeJob(
                    bytes.bytes, job: job, control: control, pool: PlaneMemoryPool(spareBytes: 0))
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

    @Test func planesAreOfNoUseToThreads() throws {
        let bytes = try WorkerFixture.jpeg(width: 1000, height: 1500)
        let job = try WorkerFixture.retainingJob(bytes, RenderTarget(width: 300, format: .jpeg))
        let control = JobControl(targetCount: 1)
        let decoded = try bytes.withUnsafeBytes { bytes in
            try self.pool.decode(.memory(bytes), job: job, limits: .init(), control: control)
        }
        let planes = try #require(decoded.planes)
        let next = planes.job([RenderJob.Target(RenderTarget(width: 92, format: .jpeg))])
        #expect(throws: CodecError.self) { try decodeJob(planes, job: next, control: JobControl(targetCount: 1)) }
    }
}

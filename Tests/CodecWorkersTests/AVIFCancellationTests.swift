import CPosterSandbox
import CodecTesting
import Glibc
import PosterCodec
import Testing

@testable import CodecWorkers

/// Cancels the encoding of an AVIF, a single call that checks no flag.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct AVIFCancellationTests {
    /// The largest size that uses libavif's slowest used speed.
    private static let side = 700

    /// Planes of noise, which takes longest to encode.
    private static func noise() throws -> (memory: SealedMemory, record: PictureRecord) {
        let (luma, chroma) = (Self.side, Self.side / 2)
        let shapes = [luma, chroma, chroma, luma].map { PictureRecord.Shape(width: $0, height: $0) }
        let byteCount = shapes.reduce(0) { $0 + ($1.width + 15) / 16 * 16 * $1.height }
        var random = SeededRandom(seed: 7)
        var bytes: [UInt8] = []
        while bytes.count < byteCount { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
        let memory = try bytes.withUnsafeBytes { try SealedMemory(copying: .init(rebasing: $0[..<byteCount])) }
        let record = PictureRecord(index: 0, kind: .planes, shapes: shapes, offset: 0, byteCount: byteCount)
        return (memory, record)
    }

    /// A job with a single target of these planes and the longest encoding time.
    private static func job(_ limits: CodecLimits) throws -> RenderJob {
        let bytes = try WorkerFixture.jpeg(width: 70, height: 70)
        var header = try inspect(bytes.span.bytes, limits: .init())
        (header.width, header.height) = (Self.side, Self.side)
        let target = RenderTarget(width: Self.side, format: .avif)
        let plan = try RenderPlan(header, target: target, limits: limits)
        var job = RenderJob(
            source: header, byteCount: bytes.count, targets: [RenderJob.Target(target)], scale: plan.scale)
        job.encoding = .refined
        return job
    }

    @Test func aStoppedEncodingEndsItsWorker() throws {
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 120_000_000_000
        let pool = try WorkerFixture.pool(limits: limits) { $0.spareCount = 0 }
        let (memory, record) = try Self.noise()
        let job = try Self.job(limits)
        let request = EncodeRequest(picture: record, job: job, limits: limits, byteCount: memory.byteCount)
        let budget = WorkerBudget.budget(
            128 << 20, mappedBytes: memory.byteCount, cpuNanoseconds: limits.maxCPUNanoseconds)
        /// - Returns: The CPU time in nanoseconds.
        func encode(_ stop: StopFlag) throws -> UInt64 {
            let nanoseconds = try pool.perform(
                .encode, request, [memory.descriptor], budget: budget, stop: stop, dropped: { 0 }, isBackground: false
            ) { kind, body, _ -> (WorkerUsage, UInt64) in
                guard kind == .encoded else { throw MalformedMessage() }
                let usage = try MessageReader.read(EncodedReply.self, from: body).usage
                return (usage, usage.cpuNanoseconds)
            }
            return try #require(nanoseconds)
        }

        let whole = try encode(StopFlag())
        var processes: [Int32] = []
        // Repeated if the encoding ends before the flag is checked.
        repeat {
            let process = try #require(pool.idleProcesses.last)
            processes.append(process)
            let start = poster_process_cpu_time(process)
            // Stops in the middle of the call, which takes most of the time.
            let stop = StopFlag(orElse: { poster_process_cpu_time(process) &- start > whole / 3 })
            do {
                _ = try encode(stop)
            } catch CodecError.stopped {}
        } while pool.counters.killed == 0
        #expect(pool.counters.killed == 1 && pool.counters.failures == 0)
        let killed = try #require(processes.last)
        #expect(kill(killed, 0) == -1 && errno == ESRCH)

        let good = try WorkerFixture.jpeg(width: 100, height: 150)
        let targets = [RenderTarget(width: 50, format: .avif)]
        #expect(try WorkerFixture.files(pool, good, targets) == WorkerFixture.files(good, targets))
        #expect(pool.usage.busy == 0)
    }
}

import PosterCodec
import Testing

@testable import CodecWorkers

/// Originals that a worker decodes while they arrive.
@Suite struct WorkerArrivalTests {
    private let pool: CodecWorkerPool

    init() throws {
        self.pool = try WorkerFixture.pool()
    }

    private func begin(
        _ bytes: [UInt8], _ targets: [RenderTarget]
    ) throws -> (stepped: WorkerSteppedJob, arriving: ArrivingBytes, control: JobControl) {
        let job = try WorkerFixture.job(bytes, targets)
        let memory = try #require(ArrivingMemory(declaredCount: bytes.count))
        let arriving = memory.makeBytes()
        let control = JobControl(targetCount: job.targets.count)
        let stepped = try WorkerSteppedJob(
            arriving, in: memory, job: job, limits: .init(), control: control, pool: self.pool)
        return (stepped, arriving, control)
    }

    @Test(arguments: [1, 2])
    func whatArrivesInPiecesGivesTheSameFiles(_ count: Int) throws {
        let bytes = try WorkerFixture.jpeg()
        let targets = [RenderTarget(width: 185, format: .jpeg), RenderTarget(width: 92, format: .webp)]
        let (stepped, arriving, control) = try self.begin(bytes, Array(targets.prefix(count)))
        var decoded: DecodedJob?
        for start in stride(from: 0, to: bytes.count, by: 9000) {
            let piece = Array(bytes[start..<min(start + 9000, bytes.count)])
            #expect(piece.withUnsafeBytes { arriving.append($0) })
            if start + 9000 >= bytes.count { arriving.finish() }
            steps: while true {
                switch try stepped.step(groupLimit: 4) {
                case .limit: continue
                case .arrived: break steps
                case .decoded(let job):
                    decoded = job
                    break steps
                }
            }
        }
        let files = try WorkerFixture.files(of: try #require(decoded), count, control)
        #expect(files == (try WorkerFixture.files(bytes, Array(targets.prefix(count)))))
        #expect(self.pool.usage.busy == 0)
    }

    @Test func aWorkerIsFreeAgainWhenItsJobIsGivenUp() throws {
        let bytes = try WorkerFixture.jpeg()
        let target = RenderTarget(width: 100, format: .jpeg)
        do {
            let (stepped, arriving, _) = try self.begin(bytes, [target])
            _ = bytes.prefix(20_000).withUnsafeBytes { arriving.append($0) }
            _ = try stepped.step(groupLimit: 4)
            #expect(self.pool.usage.busy == 1)
        }
        #expect(self.pool.usage.busy == 0)
        #expect(try WorkerFixture.files(self.pool, bytes, [target]) == WorkerFixture.files(bytes, [target]))
    }

    @Test func aFaultInAStepFailsTheJobAlone() throws {
        let bytes = try WorkerFixture.faulty("segfault")
        let (stepped, arriving, _) = try self.begin(bytes, [RenderTarget(width: 100, format: .jpeg)])
        _ = bytes.prefix(20_000).withUnsafeBytes { arriving.append($0) }
        #expect(throws: CodecError.self) { try stepped.step(groupLimit: 4) }
        #expect(throws: CodecError.self) { try stepped.step(groupLimit: 4) }
        #expect(self.pool.usage.busy == 0 && self.pool.counters.failures == 1)
    }

    @Test func aWorkerCannotWriteToWhatArrives() throws {
        let memory = try #require(ArrivingMemory(declaredCount: 4096))
        #expect(mmapForWriting(memory.descriptor, byteCount: 4096) == false)
    }
}

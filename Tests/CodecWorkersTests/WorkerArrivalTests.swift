import Glibc
import PosterCodec
import Synchronization
import Testing

@testable import CodecWorkers

/// Originals that a worker decodes while they arrive.
@Suite(.ownThread) struct WorkerArrivalTests {
    private let pool: CodecWorkerPool

    init() throws {
        self.pool = try WorkerFixture.pool()
    }

    private func begin(
        _ bytes: [UInt8], _ targets: [RenderTarget], limits: CodecLimits = .init(), control: JobControl? = nil,
        pool: CodecWorkerPool? = nil
    ) throws -> (stepped: WorkerSteppedJob, arriving: ArrivingBytes, control: JobControl) {
        let job = try WorkerFixture.job(bytes, targets)
        let memory = try #require(ArrivingMemory(declaredCount: bytes.count))
        let arriving = memory.makeBytes()
        let control = control ?? JobControl(targetCount: job.targets.count)
        let stepped = try WorkerSteppedJob(
            arriving, in: memory, job: job, limits: limits, control: control, pool: pool ?? self.pool)
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

    @Test func theEndOfAWorkerIsWaitedForByTheNextJob() throws {
        // Each worker is replaced after its first job.
        let pool = try WorkerFixture.pool {
            $0.jobLimit = 1
            $0.spareCount = 0
        }
        let bytes = try WorkerFixture.jpeg()
        let target = RenderTarget(width: 100, format: .jpeg)
        do {
            let (stepped, arriving, _) = try self.begin(bytes, [target], pool: pool)
            _ = bytes.prefix(20_000).withUnsafeBytes { arriving.append($0) }
            _ = try stepped.step(groupLimit: 4)
        }
        #expect(pool.usage.count == 0 && pool.counters.started == 1)
        #expect(pool.counters.replaced == 1)
        #expect(try WorkerFixture.files(pool, bytes, [target]) == WorkerFixture.files(bytes, [target]))
        #expect(pool.counters.replaced == 2 && pool.usage.count == 1)
    }

    @Test func aFaultInAStepFailsTheJobAlone() throws {
        let bytes = try WorkerFixture.faulty("segfault")
        let (stepped, arriving, _) = try self.begin(bytes, [RenderTarget(width: 100, format: .jpeg)])
        _ = bytes.prefix(20_000).withUnsafeBytes { arriving.append($0) }
        #expect(throws: CodecError.self) { try stepped.step(groupLimit: 4) }
        #expect(throws: CodecError.self) { try stepped.step(groupLimit: 4) }
        #expect(self.pool.usage.busy == 0 && self.pool.counters.failures == 1)
    }

    @Test func anEndlessLoopInAStepEndsWithItsCPUTime() throws {
        let bytes = try WorkerFixture.faulty("endlessLoop")
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 50_000_000
        let (stepped, arriving, _) = try self.begin(bytes, [RenderTarget(width: 100, format: .jpeg)], limits: limits)
        _ = bytes.prefix(20_000).withUnsafeBytes { arriving.append($0) }
        let error = #expect(throws: CodecError.self) { try stepped.step(groupLimit: 4) }
        #expect(error == .decoderEnded(reason: "the decoder exceeded its CPU time limit"))
    }

    /// Kills a process while it has a job.
    private final class Killer: Sendable {
        private let state = Mutex<(process: Int32, lookCount: Int)?>(nil)

        /// Arms the killer for the next job.
        func arm(_ process: Int32) { self.state.withLock { $0 = (process, 0) } }

        /// Called before a job is sent, and repeatedly while it runs.
        /// - Returns: A mask without dropped targets.
        func look() -> UInt64 {
            let process = self.state.withLock { state -> Int32? in
                state?.lookCount += 1
                return state?.lookCount == 2 ? state?.process : nil
            }
            if let process { kill(process, SIGKILL) }
            return 0
        }
    }

    @Test func aWorkerThatSomethingElseKillsInAStepIsNoFaultOfTheOriginal() throws {
        let bytes = try WorkerFixture.faulty("endlessSleep")
        let killer = Killer()
        let control = JobControl(targetCount: 1, render: RenderControl(), droppedElsewhere: { killer.look() })
        let processes = self.pool.idleProcesses
        let (stepped, arriving, _) = try self.begin(
            bytes, [RenderTarget(width: 100, format: .jpeg)], control: control)
        // These bytes do not contain the fault's name yet.
        _ = bytes.prefix(8).withUnsafeBytes { arriving.append($0) }
        _ = try stepped.step(groupLimit: 4)
        killer.arm(try #require(processes.first { !self.pool.idleProcesses.contains($0) }))
        _ = bytes[8..<20_000].withUnsafeBytes { arriving.append($0) }
        let error = #expect(throws: CodecError.self) { try stepped.step(groupLimit: 4) }
        #expect(error == .outOfMemory)
        #expect(self.pool.usage.busy == 0 && self.pool.counters.failures == 1)
    }

    @Test func aWorkerCannotWriteToWhatArrives() throws {
        let memory = try #require(ArrivingMemory(declaredCount: 4096))
        #expect(mmapForWriting(memory.descriptor, byteCount: 4096) == false)
    }
}

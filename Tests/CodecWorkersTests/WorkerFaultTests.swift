import CPosterSandbox
import Foundation
import PosterCodec
import Synchronization
import Testing

@testable import CodecWorkers
@testable import FaultyCodecWorker

/// Faults of a compromised worker: each fails its own job, with a reason.
@Suite(.ownThread, .timeLimit(.minutes(WorkerFixture.faultCount == nil ? 5 : 60)))
struct WorkerFaultTests {

    /// A fault and the reason of its failure.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String

        init(_ name: String, _ reason: String) {
            (self.testDescription, self.reason) = (name, reason)
        }
    }

    private static let memory = "the decoder accessed invalid memory"
    private static let call = "the decoder made a forbidden system call"
    private static let malformed = "the decoder sent a malformed message"

    static let faults = [
        Fault("segfault", Self.memory), Fault("trap", "the decoder trapped"),
        Fault("abort", "the decoder aborted"), Fault("hugeAllocation", "the decoder trapped"),
        Fault("stackOverflow", Self.memory), Fault("opensFile", Self.call), Fault("opensSocket", Self.call),
        Fault("executes", Self.call), Fault("forks", "the decoder exited with status 98"),
        Fault("tracesParent", Self.call), Fault("signalsParent", Self.call), Fault("executableMemory", Self.call),
        Fault("malformedMessage", Self.malformed), Fault("longMessage", Self.malformed),
        Fault("writesEverywhere", Self.malformed), Fault("exits", "the decoder exited with status 7"),
        Fault("sharedMemory", Self.call), Fault("growingStack", Self.call),
        Fault("mapsFiles", "the decoder exited with status 98"),
        Fault("blocksSignals", "the decoder exited with status 98"),
    ]

    private func error(_ pool: CodecWorkerPool, _ name: String, limits: CodecLimits = .init()) throws -> CodecError? {
        try self.error(pool, WorkerFixture.faulty(name), limits: limits)
    }

    private func error(_ pool: CodecWorkerPool, _ bytes: [UInt8], limits: CodecLimits = .init()) throws -> CodecError? {
        #expect(throws: CodecError.self) {
            try WorkerFixture.files(pool, bytes, [RenderTarget(width: 100, format: .jpeg)], limits: limits)
        }
    }

    @Test(arguments: Self.faults)
    func aFaultFailsItsJobAndNoOther(_ fault: Fault) throws {
        let pool = try WorkerFixture.pool()
        let error = try self.error(pool, fault.testDescription)
        #expect(error == .decoderEnded(reason: fault.reason))
        #expect(pool.counters.failures == 1)
        let good = try WorkerFixture.jpeg()
        let targets = [RenderTarget(width: 100, format: .jpeg)]
        #expect(try WorkerFixture.files(pool, good, targets) == WorkerFixture.files(good, targets))
    }

    @Test func everyFaultIsTested() {
        let others: Set = ["endlessLoop", "endlessSleep", "sends", "cutsShort"]
        #expect(Set(Self.faults.map(\.testDescription)).union(others) == Set(PlantedFault.allCases.map(\.rawValue)))
    }

    @Test func anEndlessLoopEndsWithItsCPUTime() throws {
        let pool = try WorkerFixture.pool()
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 50_000_000
        let error = try self.error(pool, "endlessLoop", limits: limits)
        #expect(error == .decoderEnded(reason: "the decoder exceeded its CPU time limit"))
        #expect(pool.counters.failures == 1)
    }

    @Test func aWorkerThatDoesNotReplyInTimeIsEnded() throws {
        let pool = try WorkerFixture.pool { $0.replyGraceNanoseconds = 0 }
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 1_000_000
        // Sleeps: it uses no CPU time, and the limit of sleeping is seconds.
        let error = try self.error(pool, "endlessSleep", limits: limits)
        #expect(error == .decoderEnded(reason: "the decoder did not respond"))
        #expect(pool.counters.failures == 1)
    }

    @Test func noOriginalIsToBlameForTheTimeOfALargeAVIF() throws {
        let bytes = try WorkerFixture.jpeg(width: 1200, height: 1800)
        func blamesOriginal(_ targets: [RenderTarget]) throws -> Bool {
            let job = try WorkerFixture.job(bytes, targets)
            return try WorkerBudget.decoding(job, mappedBytes: 0, limits: .init()).blamesOriginal
        }
        let large = RenderTarget(width: 1200, format: .avif)
        #expect(try !blamesOriginal([large]))
        #expect(try blamesOriginal([RenderTarget(width: 1200, format: .webp)]))
        #expect(try blamesOriginal([RenderTarget(width: 300, format: .avif)]))
        // The AVIF is encoded separately, with its own limit.
        #expect(try blamesOriginal([large, RenderTarget(width: 1200, format: .jpeg)]))

        let pool = try WorkerFixture.pool()
        let budget = WorkerBudget.budget(0, mappedBytes: 0, cpuNanoseconds: 5_000_000_000)
        let error = pool.codecError(.tookTooLong(6_000_000_000), budget: budget)
        #expect(error == .overLimit(.cpuTime, value: 6000, limit: 5000))
    }

    @Test(arguments: ["endlessLoop", "endlessSleep"])
    func aStoppedJobThatGoesOnEndsItsWorker(_ fault: String) throws {
        let pool = try WorkerFixture.pool()
        let bytes = try WorkerFixture.faulty(fault)
        let job = try WorkerFixture.job(bytes, [RenderTarget(width: 100, format: .jpeg)])
        let control = JobControl(targetCount: 1)
        let budget = try WorkerBudget.decoding(job, mappedBytes: bytes.count, limits: .init())
        let looks = Mutex(0)
        #expect(throws: CodecError.stopped) {
            try bytes.withUnsafeBytes { bytes in
                try WorkerInput.memory(bytes).withDescriptor { (record, descriptor) throws(CodecError) in
                    _ = try pool.perform(
                        .decode, DecodeRequest(input: record, job: job, limits: .init()), [descriptor],
                        budget: budget, stop: control.stop,
                        // Called before the job is sent, and repeatedly while it runs.
                        dropped: {
                            let count = looks.withLock { looks in
                                looks += 1
                                return looks
                            }
                            if count == 3 { control.stop.raise() }
                            return 0
                        },
                        isBackground: false
                    ) { _, _, _ in (WorkerUsage(cpuNanoseconds: 0, heapBytes: 0), 0) }
                }
            }
        }
        #expect(pool.counters.killed == 1 && pool.counters.failures == 0)
    }

    /// An original that makes its worker send a message before its reply.
    private func sending(_ message: [UInt8]) throws -> [UInt8] {
        let digits = message.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return try WorkerFixture.jpeg(comment: "onesheet-fault:sends;\(digits).")
    }

    @Test func numbersOfAWorkerAreLimited() throws {
        let pool = try WorkerFixture.pool()
        let usage = WorkerUsage(cpuNanoseconds: .max, heapBytes: .max)
        let message = try MessageFrame.encode(.failed, FailedReply(usage: usage, error: ErrorRecord(.truncated)))
        let error = #expect(throws: CodecError.self) {
            try WorkerFixture.files(pool, self.sending(message), [RenderTarget(width: 100, format: .jpeg)])
        }
        #expect(error == .truncated)
        #expect(WorkerTime.nanoseconds() < 2 * WorkerUsage.limit)
    }

    @Test func aWorkerThatSomethingElseKillsIsReplacedOnceForItsJob() throws {
        let pool = try WorkerFixture.pool()
        let bytes = try WorkerFixture.faulty("endlessSleep")
        let job = try WorkerFixture.job(bytes, [RenderTarget(width: 100, format: .jpeg)])
        let budget = try WorkerBudget.decoding(job, mappedBytes: bytes.count, limits: .init())
        let processes = pool.idleProcesses
        let looks = Mutex(0)
        let error = #expect(throws: CodecError.self) {
            try bytes.withUnsafeBytes { bytes in
                try WorkerInput.memory(bytes).withDescriptor { (record, descriptor) throws(CodecError) in
                    _ = try pool.perform(
                        .decode, DecodeRequest(input: record, job: job, limits: .init()), [descriptor],
                        budget: budget, stop: StopFlag(),
                        // Called before each worker gets the job, and repeatedly while it runs.
                        dropped: {
                            let count = looks.withLock { looks in
                                looks += 1
                                return looks
                            }
                            if count == 3 { Self.end(processes[1]) }
                            if count == 6 { Self.end(processes[0]) }
                            return 0
                        },
                        isBackground: false
                    ) { _, _, _ in (WorkerUsage(cpuNanoseconds: 0, heapBytes: 0), 0) }
                }
            }
        }
        #expect(error == .decoderEnded(reason: "the decoder was terminated by signal 9"))
        #expect(pool.counters.failures == 2)
    }

    /// Kills a worker and returns when it has ended: on a busy machine the pool would look several times meanwhile.
    private static func end(_ process: pid_t) {
        kill(process, SIGKILL)
        var info = siginfo_t()
        // Leaves the exit status to the pool.
        waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT)
    }

    @Test func memoryThatEarlierJobsHaveLeftIsNoFaultOfAnOriginal() throws {
        let pool = try WorkerFixture.pool { $0.spareCount = 0 }
        let targets = [RenderTarget(width: 100, format: .jpeg)]
        _ = try WorkerFixture.files(pool, WorkerFixture.jpeg(), targets)
        let usage = WorkerUsage(cpuNanoseconds: 0, heapBytes: 0)
        let message = try MessageFrame.encode(.failed, FailedReply(usage: usage, error: ErrorRecord(.outOfMemory)))
        let error = #expect(throws: CodecError.self) { try WorkerFixture.files(pool, self.sending(message), targets) }
        // The second worker ran no other job, so the original is at fault.
        #expect(error == .decoderEnded(reason: "the decoder exceeded the memory estimate of the file"))
        #expect(pool.counters.replaced == 1 && pool.counters.failures == 1)
    }

    @Test func workersOfJobsInTheBackgroundAtOnceAreKept() throws {
        let pool = try WorkerFixture.pool { ($0.count, $0.spareCount) = (2, 0) }
        let first = try (0..<3).map { _ in try pool.take(isBackground: true) }
        for worker in first { pool.giveBack(worker, isFit: true) }
        let started = pool.counters.started
        let again = try (0..<2).map { _ in try pool.take(isBackground: true) }
        defer { for worker in again { pool.giveBack(worker, isFit: true) } }
        // Of three workers, as many are kept as there are others.
        #expect(Set(again.map(\.process)) == Set(first.prefix(2).map(\.process)))
        #expect(pool.counters.started == started)
    }

    /// Parsers make no such header, but a message may contain one.
    @Test(arguments: [MessageKind.decode, .hash, .beginArriving])
    func aRequestWithAnImpossibleHeaderIsMalformed(_ kind: MessageKind) throws {
        let pool = try WorkerFixture.pool()
        let bytes = try WorkerFixture.jpeg(width: 100, height: 150)
        var header = try inspect(bytes.span.bytes, limits: .init())
        header.sampling[0].vertical = 1 << 40
        let target = RenderJob.Target(RenderTarget(width: 50, format: .jpeg))
        let job = RenderJob(source: header, byteCount: bytes.count, targets: [target], scale: .none)
        let budget = WorkerBudget.budget(1 << 20, mappedBytes: bytes.count, cpuNanoseconds: 1_000_000_000)
        let error = #expect(throws: CodecError.self) {
            try bytes.withUnsafeBytes { bytes in
                try WorkerInput.memory(bytes).withDescriptor { (record, descriptor) throws(CodecError) in
                    func perform(_ request: some MessageValue) throws(CodecError) {
                        _ = try pool.perform(
                            kind, request, [descriptor], budget: budget, stop: StopFlag(), dropped: { 0 },
                            isBackground: false
                        ) { _, _, _ in (WorkerUsage(cpuNanoseconds: 0, heapBytes: 0), 0) }
                    }
                    switch kind {
                    case .decode: try perform(DecodeRequest(input: record, job: job, limits: .init()))
                    case .hash: try perform(HashRequest(input: record, header: header, limits: .init()))
                    default: try perform(ArrivingRequest(byteCount: bytes.count, job: job, limits: .init()))
                    }
                }
            }
        }
        #expect(error == .internalError(reason: "a malformed message"))
        #expect(pool.counters.failures == 0)
    }

    @Test func aReplyThatWasNotAskedForAnswersNoOtherJob() throws {
        let pool = try WorkerFixture.pool { $0.spareCount = 0 }
        let usage = WorkerUsage(cpuNanoseconds: 0, heapBytes: 0)
        let message = try MessageFrame.encode(.failed, FailedReply(usage: usage, error: ErrorRecord(.truncated)))
        let targets = [RenderTarget(width: 100, format: .jpeg)]
        let error = #expect(throws: CodecError.self) { try WorkerFixture.files(pool, self.sending(message), targets) }
        #expect(error == .truncated)
        // The worker's own reply follows, and is its next message.
        let worker = try pool.take(isBackground: false)
        #expect(try worker.channel.waits(milliseconds: nil))
        pool.giveBack(worker, isFit: true)
        let good = try WorkerFixture.jpeg(width: 300, height: 450)
        #expect(try WorkerFixture.files(pool, good, targets) == WorkerFixture.files(good, targets))
        #expect(pool.idleProcesses.first != worker.process)
    }

    @Test func aFileIsReadByTheWorkerAndOneThatWasCutShortIsUnreadable() throws {
        let pool = try WorkerFixture.pool()
        let bytes = try WorkerFixture.jpeg()
        let targets = [RenderTarget(width: 100, format: .jpeg)]
        let job = try WorkerFixture.job(bytes, targets)
        let path = FileManager.default.temporaryDirectory.appending(path: "onesheet-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data([0, 0, 0] + bytes).write(to: URL(filePath: path))
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let input = WorkerInput.file(descriptor: descriptor, offset: 3, byteCount: bytes.count)
        let control = JobControl(targetCount: 1)
        let decoded = try pool.decode(input, job: job, limits: .init(), control: control)
        #expect(try WorkerFixture.files(of: decoded, 1, control) == WorkerFixture.files(bytes, targets))
        #expect(truncate(path, off_t(bytes.count / 2)) == 0)
        #expect(throws: UnreadableWorkerInput.self) {
            _ = try pool.decode(input, job: job, limits: .init(), control: JobControl(targetCount: 1))
        }
        #expect(pool.counters.failures == 0)
    }

    @Test func aFileThatIsCutShortWhileItIsDecodedIsUnreadableAndEndsTheWorkerAlone() throws {
        let pool = try WorkerFixture.pool()
        let bytes = try WorkerFixture.faulty("cutsShort")
        let job = try WorkerFixture.job(bytes, [RenderTarget(width: 100, format: .jpeg)])
        let path = FileManager.default.temporaryDirectory.appending(path: "onesheet-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(bytes).write(to: URL(filePath: path))
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let input = WorkerInput.file(descriptor: descriptor, offset: 0, byteCount: bytes.count)
        #expect(input.isReadable)
        #expect(throws: UnreadableWorkerInput.self) {
            _ = try pool.decode(input, job: job, limits: .init(), control: JobControl(targetCount: 1))
        }
        #expect(!input.isReadable && pool.counters.failures == 1)
    }

    @Test func aWorkerThatEndedWhileItWasIdleFailsNoJob() throws {
        let pool = try WorkerFixture.pool()
        for process in pool.idleProcesses {
            kill(process, SIGKILL)
            // Until it has ended; its pool collects it.
            var information = siginfo_t()
            #expect(waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) == 0)
        }
        let good = try WorkerFixture.jpeg()
        let targets = [RenderTarget(width: 100, format: .webp)]
        #expect(try WorkerFixture.files(pool, good, targets) == WorkerFixture.files(good, targets))
        #expect(pool.counters.failures == 0)
    }

    @Test func workersAreReplacedAfterTheirJobs() throws {
        let pool = try WorkerFixture.pool { $0.jobLimit = 2 }
        let good = try WorkerFixture.jpeg(width: 100, height: 150)
        for _ in 0..<6 { _ = try WorkerFixture.files(pool, good, [RenderTarget(width: 50, format: .jpeg)]) }
        #expect(pool.counters.replaced >= 2)
        #expect(pool.usage.count == 2)
    }

    @Test func manyFaultsAmongGoodJobsLeakNothing() throws {
        let pool = try WorkerFixture.pool()
        let good = try WorkerFixture.jpeg(width: 100, height: 150)
        let targets = [RenderTarget(width: 50, format: .jpeg)]
        let expected = try WorkerFixture.files(good, targets)
        let originals = try Self.faults.map { try WorkerFixture.faulty($0.testDescription) }
        let count = WorkerFixture.faultCount ?? 50
        var (before, memory) = ([Int](), UInt64(0))
        for index in 0..<count + 10 {
            if index == 10 { (before, memory) = (Self.descriptors(), poster_process_heap_bytes()) }
            _ = try self.error(pool, originals[index % originals.count])
            #expect(try WorkerFixture.files(pool, good, targets) == expected)
        }
        #expect(pool.usage.count == 2 && pool.usage.busy == 0)
        #expect(pool.counters.failures == count + 10)
        // Figures of the whole process are meaningless while other tests run.
        guard WorkerFixture.faultCount != nil else { return }
        #expect(Self.descriptors().count <= before.count + 4)
        #expect(Self.zombies() == 0)
        #expect(poster_process_heap_bytes() <= memory + (1 << 20))
    }

    /// This process's descriptors of sockets or of workers' memory.
    private static func descriptors() -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap(Int.init).filter { descriptor in
            let target =
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
            return target.hasPrefix("socket:") || target.contains("memfd:onesheet")
        }
    }

    /// The number of children of this process that have ended and were not reaped.
    private static func zombies() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(Int.init).count { process in
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return false }
            let fields = text[end...].split(separator: " ")
            return fields.count > 2 && fields[1] == "Z" && fields[2] == "\(getpid())"
        }
    }
}

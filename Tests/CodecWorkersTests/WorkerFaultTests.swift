import CPosterSandbox
import Foundation
import PosterCodec
import Testing

@testable import CodecWorkers
@testable import FaultyCodecWorker

/// What a worker that was taken over may do: each of these fails its own job, with a reason.
@Suite(.timeLimit(.minutes(5)))
struct WorkerFaultTests {
    /// A fault, and how its worker ends.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String

        init(_ name: String, _ reason: String) {
            (self.testDescription, self.reason) = (name, reason)
        }
    }

    private static let memory = "its decoder has accessed memory that it does not have"
    private static let call = "its decoder has made a system call that it may not make"
    private static let malformed = "its decoder has sent a malformed message"

    static let faults = [
        Fault("segfault", Self.memory), Fault("trap", "its decoder has trapped"),
        Fault("abort", "its decoder has aborted"), Fault("hugeAllocation", "its decoder has trapped"),
        Fault("stackOverflow", Self.memory), Fault("opensFile", Self.call), Fault("opensSocket", Self.call),
        Fault("executes", Self.call), Fault("forks", "its decoder has exited with status 98"),
        Fault("tracesParent", Self.call), Fault("signalsParent", Self.call), Fault("executableMemory", Self.call),
        Fault("malformedMessage", Self.malformed), Fault("longMessage", Self.malformed),
        Fault("writesEverywhere", Self.malformed), Fault("exits", "its decoder has exited with status 7"),
    ]

    private func error(_ pool: CodecWorkerPool, _ name: String, limits: CodecLimits = .init()) throws -> CodecError? {
        let bytes = try WorkerFixture.faulty(name)
        return #expect(throws: CodecError.self) {
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
        let others: Set = ["endlessLoop", "endlessSleep"]
        #expect(Set(Self.faults.map(\.testDescription)).union(others) == Set(PlantedFault.allCases.map(\.rawValue)))
    }

    @Test func anEndlessLoopEndsWithItsCPUTime() throws {
        let pool = try WorkerFixture.pool()
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 50_000_000
        let error = try self.error(pool, "endlessLoop", limits: limits)
        guard case .overLimit(.cpuTime, let value, 100) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(value >= 100)
        #expect(pool.counters.failures == 1)
    }

    @Test(arguments: ["endlessLoop", "endlessSleep"])
    func aStoppedJobThatGoesOnEndsItsWorker(_ fault: String) throws {
        let pool = try WorkerFixture.pool()
        let bytes = try WorkerFixture.faulty(fault)
        let job = try WorkerFixture.job(bytes, [RenderTarget(width: 100, format: .jpeg)])
        let control = JobControl(targetCount: 1)
        let stopper = Thread { control.drop(0) }
        // Begins when the worker has taken the job: its message is read then.
        stopper.start()
        #expect(throws: CodecError.stopped) {
            try bytes.withUnsafeBytes { bytes in
                try pool.decode(.memory(bytes), job: job, limits: .init(), control: control)
            }
        }
        #expect(pool.counters.failures == 0)
    }

    @Test func aWorkerThatEndedWhileItWasIdleFailsNoJob() throws {
        let pool = try WorkerFixture.pool()
        for process in pool.idleProcesses { kill(process, SIGKILL) }
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
        let names = ["segfault", "opensSocket", "malformedMessage", "abort", "exits"]
        // Ten thousand with ONESHEET_FAULTS=10000.
        let count = ProcessInfo.processInfo.environment["ONESHEET_FAULTS"].flatMap(Int.init) ?? 50
        var before: [Int] = []
        for index in 0..<count + 10 {
            if index == 10 { before = Self.descriptors() }
            _ = try self.error(pool, names[index % names.count])
            #expect(try WorkerFixture.files(pool, good, targets) == expected)
        }
        #expect(Self.descriptors().count <= before.count + 4)
        #expect(pool.usage.count == 2 && pool.usage.busy == 0)
        #expect(pool.counters.failures == count + 10)
        #expect(Self.zombies() == 0)
    }

    /// The descriptors of this process that are sockets or memory of workers.
    private static func descriptors() -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap(Int.init).filter { descriptor in
            let target =
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
            return target.hasPrefix("socket:") || target.contains("memfd:onesheet")
        }
    }

    /// Children of this process that have ended and were not waited for.
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

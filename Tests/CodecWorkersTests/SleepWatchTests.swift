import PosterCodec
import Testing

@testable import CodecWorkers

/// Workers that sleep instead of decoding.
@Suite(.timeLimit(.minutes(10)))
struct SleepWatchTests {
    /// The state of a process between two checks.
    private enum Finding {
        case slept
        /// It used no CPU time: it waits for a processor or a disk.
        case waited
        /// It used CPU time and sleeps at the check.
        case ran
    }

    /// Whether the watch reports too long a sleep for these findings, with a limit of three.
    private func hasSleptTooLong(_ findings: [Finding]) -> Bool {
        var cpuTime: UInt64 = 7_000_000_000
        var watch = SleepWatch(limit: 3, time: 0, cpuTime: cpuTime)
        var hasSlept = false
        for finding in findings {
            // Waking up and going back to sleep takes little time.
            cpuTime += finding == .ran ? SleepWatch.cpuAllowance + 1 : 1000
            for _ in 0..<SleepWatch.callsPerLook {
                let state: ProcessState.Activity = finding == .waited ? .active : .sleeping
                if watch.hasSleptTooLong(at: 0, cpuTime: cpuTime, state: state) { hasSlept = true }
            }
        }
        return hasSlept
    }

    @Test func onlyOneThatSleepsAtEveryLookHasSleptTooLong() {
        #expect(self.hasSleptTooLong([.slept, .slept, .slept]))
        #expect(self.hasSleptTooLong([.ran, .waited, .slept, .slept, .slept, .ran]))
        #expect(!self.hasSleptTooLong([.slept, .slept]))
        #expect(!self.hasSleptTooLong([.slept, .slept, .waited, .slept, .slept]))
        #expect(!self.hasSleptTooLong([.slept, .slept, .ran, .slept, .slept]))
        #expect(!self.hasSleptTooLong(Array(repeating: .waited, count: 1000)))
        #expect(!self.hasSleptTooLong(Array(repeating: .ran, count: 1000)))
    }

    private static let states: [(stat: String, activity: ProcessState.Activity?)] = [
        ("12 (onesheet) S 1 12 12", .sleeping), ("12 (onesheet) R 1 12 12", .active),
        ("12 (onesheet) D 1 12 12", .active), ("12 (onesheet) T 1 12 12", .other), ("12 (onesheet) Z 1 12 12", .other),
        ("12 (a) S (b) R 1 12 12", .active), ("12 (onesheet) R", nil), ("12 (onesheet)", nil), ("", nil),
    ]

    @Test(arguments: Self.states)
    func theStateFollowsTheName(_ stat: String, _ activity: ProcessState.Activity?) {
        #expect(ProcessState.activity(ArraySlice(stat.utf8)) == activity)
    }

    @Test func waitsAreEstimatedByTheStateAtEachLook() {
        /// The estimate after looks, each with the nanoseconds since the previous one, and the CPU time used since.
        func delay(_ looks: [(elapsed: UInt64, used: UInt64, state: ProcessState.Activity?)]) -> UInt64 {
            var (time, cpuTime): (UInt64, UInt64) = (5_000_000_000, 7_000_000_000)
            var watch = SleepWatch(limit: 3, time: time, cpuTime: cpuTime)
            for look in looks {
                time += look.elapsed
                cpuTime += look.used
                for _ in 0..<SleepWatch.callsPerLook {
                    _ = watch.hasSleptTooLong(at: time, cpuTime: cpuTime, state: look.state)
                }
            }
            return watch.delay
        }
        #expect(delay([(250, 0, .active), (300, 100, .active)]) == 450)
        #expect(delay([(250, 250, .active)]) == 0)
        // Clocks differ.
        #expect(delay([(250, 251, .active)]) == 0)
        #expect(delay([(250, 0, .sleeping), (250, 0, .other), (250, 0, nil)]) == 0)
        #expect(delay([(250, 0, .active), (250, 0, .sleeping), (250, 0, .active)]) == 500)
    }

    @Test func aWorkerWithoutProcessorIsNotToBlame() {
        func failure(elapsed: UInt64, delay: UInt64, isBackground: Bool = false) -> String? {
            WorkerProcess.failure(elapsed: elapsed, limit: 100, delay: delay, isBackground: isBackground)
                .map { "\($0)" }
        }
        let blamed = "\(WorkerProcess.Failure.ended("the decoder did not respond"))"
        #expect(failure(elapsed: 100, delay: 0) == nil)
        #expect(failure(elapsed: 101, delay: 0) == blamed)
        #expect(failure(elapsed: 101, delay: 1) == nil)
        #expect(failure(elapsed: 300, delay: 199) == blamed)
        #expect(failure(elapsed: 300, delay: 301) == nil)
        let limit = WorkerProcess.delayLimit
        #expect(failure(elapsed: limit + 100, delay: limit + 1) == nil)
        #expect(failure(elapsed: limit + 101, delay: limit + 1) == blamed)
        #expect(failure(elapsed: 101, delay: 0, isBackground: true) == "\(WorkerProcess.Failure.stopped)")
    }

    @Test func aWorkerThatSleepsEndsLongBeforeItsTimeIsOver() throws {
        let pool = try WorkerFixture.pool()
        let bytes = try WorkerFixture.faulty("endlessSleep")
        let job = try WorkerFixture.job(bytes, [RenderTarget(width: 100, format: .jpeg)])
        var budget = try WorkerBudget.decoding(job, mappedBytes: bytes.count, limits: .init())
        budget.sleepLimit = 2
        let error = #expect(throws: CodecError.self) {
            try bytes.withUnsafeBytes { bytes in
                try WorkerInput.memory(bytes).withDescriptor { (record, descriptor) throws(CodecError) in
                    _ = try pool.perform(
                        .decode, DecodeRequest(input: record, job: job, limits: .init()), [descriptor],
                        budget: budget, stop: StopFlag(), dropped: { 0 }, isBackground: false
                    ) { _, _, _ in (WorkerUsage(cpuNanoseconds: 0, heapBytes: 0), 0) }
                }
            }
        }
        #expect(error == .decoderEnded(reason: "the decoder slept instead of decoding"))
        #expect(pool.counters.failures == 1)
    }
}

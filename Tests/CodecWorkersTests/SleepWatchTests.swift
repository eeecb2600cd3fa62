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
        var watch = SleepWatch(limit: 3, cpuTime: cpuTime)
        var hasSlept = false
        for finding in findings {
            // Waking up and going back to sleep takes little time.
            cpuTime += finding == .ran ? SleepWatch.cpuAllowance + 1 : 1000
            for _ in 0..<SleepWatch.callsPerLook {
                if watch.hasSleptTooLong(cpuTime: cpuTime, isAsleep: finding != .waited) { hasSlept = true }
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

    @Test(arguments: [
        ("12 (onesheet) S 1 12 12", true), ("12 (onesheet) R 1 12 12", false), ("12 (onesheet) D 1 12 12", false),
        ("12 (onesheet) T 1 12 12", false), ("12 (onesheet) Z 1 12 12", false), ("12 (a) S (b) R 1 12 12", false),
        ("12 (onesheet)", false), ("", false),
    ])
    func theStateFollowsTheName(_ stat: String, _ isAsleep: Bool) {
        #expect(ProcessState.isAsleep(ArraySlice(stat.utf8)) == isAsleep)
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

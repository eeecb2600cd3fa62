import Synchronization
import Testing

@testable import HTTPSemantics

struct FreshnessRecorderTests {
    @Test func theStalestPartCounts() {
        let recorder = FreshnessRecorder()
        #expect(recorder.staleness == nil)
        #expect(recorder.age == 0)
        recorder.record(Staleness(seconds: 5, reason: .revalidating), age: 65)
        recorder.record(Staleness(seconds: 3, reason: .revalidating), age: 3603)
        #expect(recorder.staleness == Staleness(seconds: 5, reason: .revalidating))
        #expect(recorder.age == 3603)
    }

    @Test("a failure is told of, whichever part it was", arguments: [true, false])
    func failures(isFirst: Bool) {
        let recorder = FreshnessRecorder()
        let parts = [Staleness(seconds: 1, reason: .originFailed), Staleness(seconds: 9, reason: .revalidating)]
        for part in isFirst ? parts : parts.reversed() { recorder.record(part, age: part.seconds) }
        #expect(recorder.staleness == Staleness(seconds: 9, reason: .originFailed))
    }

    @Test func allSupplementsShareOneDeadline() {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let recorder = FreshnessRecorder(now: { start.advanced(by: passed.withLock { $0 }) })
        passed.withLock { $0 = .seconds(8) }
        #expect(recorder.supplementTime(of: .seconds(1)) == .seconds(1), "it begins with the first supplement")
        passed.withLock { $0 += .milliseconds(400) }
        #expect(recorder.supplementTime(of: .seconds(1)) == .milliseconds(600))
        passed.withLock { $0 += .seconds(2) }
        #expect(recorder.supplementTime(of: .seconds(1)) == .zero)
    }

    @Test func aResponseStartsSoManySupplements() {
        let recorder = FreshnessRecorder(supplementLimit: 2)
        #expect(recorder.admitsSupplement("a") && recorder.admitsSupplement("b"))
        #expect(!recorder.admitsSupplement("c"))
        #expect(recorder.admitsSupplement("a"), "the same one is no request more")
        #expect(!FreshnessRecorder(supplementLimit: 0).admitsSupplement("a"))
        let unlimited = FreshnessRecorder()
        for number in 0..<100 { #expect(unlimited.admitsSupplement("\(number)")) }
        #expect(!recorder.hasGaps, "asking is not missing")
    }

    @Test func aGapIsNoStaleness() {
        let recorder = FreshnessRecorder()
        #expect(!recorder.hasGaps)
        recorder.recordGap()
        #expect(recorder.hasGaps)
        #expect(recorder.staleness == nil)
    }

    @Test(arguments: [
        (Staleness.Reason.revalidating, "stale-while-revalidate"), (.originFailed, "stale-if-error"),
        (.overloaded, "stale-while-overloaded"),
    ])
    func parametersOfCacheStatus(reason: Staleness.Reason, detail: String) {
        #expect(Staleness(seconds: 63, reason: reason).cacheStatus == "ttl=-63; detail=\(detail)")
    }
}

import Logging
import PosterTesting
import Synchronization
import Testing

@testable import RebuildableDatabase

struct FaultLogTests {
    private struct Fault: Error {}

    @Test func aLastingFaultIsLoggedOnceAndOneThatComesAndGoesOnceAMinute() {
        let recorder = LogRecorder()
        let now = Mutex<Int64>(0)
        let log = FaultLog("Broken", logger: recorder.logger(), secondsSince1970: { now.withLock { $0 } })
        for _ in 0..<120 {
            log.begin(Fault())
            now.withLock { $0 += 1 }
        }
        #expect(recorder.warnings().count == 1 && log.isOn)
        #expect(log.fault == FaultLog.Fault(since: 0, cause: "Fault()"))
        log.end()
        #expect(!log.isOn)
        #expect(recorder.warnings().count == 2, "its end is logged at the same level")
        for _ in 0..<120 {
            log.begin(Fault())
            log.end()
            now.withLock { $0 += 1 }
        }
        // Two of these 120 faults are logged, each with its end: four warnings in addition to the first two.
        #expect(recorder.warnings().count == 6)
    }

    @Test func aClockThatIsSetBackSilencesNothing() {
        let recorder = LogRecorder()
        let now = Mutex<Int64>(1_000_000)
        let log = FaultLog("Broken", logger: recorder.logger(), secondsSince1970: { now.withLock { $0 } })
        log.begin(Fault())
        log.end()
        now.withLock { $0 = 1000 }
        log.begin(Fault())
        #expect(recorder.warnings().count == 3)
    }

    @Test func aCauseIsCutAlsoInACharacterWithManyMarks() {
        struct Long: Error, CustomStringConvertible {
            let description = "x" + String(repeating: "\u{301}", count: 10_000)
        }
        let log = FaultLog("Broken", logger: LogRecorder().logger(), secondsSince1970: { 0 })
        log.begin(Long())
        #expect(log.fault?.cause.unicodeScalars.count == 500)
    }
}

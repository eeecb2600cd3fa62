import NIOCore
import Testing

@testable import HTTPServer

struct SendProgressTests {
    private static func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(1) + .seconds(seconds) }

    @Test func aReaderOfOneKibibyteASecondIsNeverStalled() {
        var progress = SendProgress(least: 64 << 10, duration: .seconds(65))
        progress.written = 50 << 10
        for second in 0..<50 {
            let isStalled = progress.isStalled(waiting: (50 - second) << 10, now: Self.at(Int64(second)))
            #expect(!isStalled)
        }
    }

    @Test func aReaderOfAnOriginalIsNotStalledAsLongAsItTakesEnough() {
        var progress = SendProgress(least: 64 << 10, duration: .seconds(60))
        for minute in 0..<20 {
            // Sent bytes make room for the next chunk.
            progress.written += minute == 0 ? 128 << 10 : 64 << 10
            let isStalled = progress.isStalled(waiting: 128 << 10, now: Self.at(Int64(60 * minute)))
            #expect(!isStalled)
        }
    }

    @Test func aReaderThatTakesTooLittleIsStalledWhenTheTimeIsOver() {
        var progress = SendProgress(least: 64 << 10, duration: .seconds(60))
        progress.written = 1 << 20
        for (waiting, second, expected) in [
            (1 << 20, 0, false), ((1 << 20) - 1000, 30, false), ((1 << 20) - (64 << 10) + 1, 59, false),
            ((1 << 20) - (64 << 10) + 1, 60, true),
        ] {
            let isStalled = progress.isStalled(waiting: waiting, now: Self.at(Int64(second)))
            #expect(isStalled == expected, "at \(second) s")
        }
    }

    @Test func timeInWhichNothingWaitsDoesNotCount() {
        var progress = SendProgress(least: 100, duration: .seconds(60))
        progress.written = 1000
        for (waiting, second) in [(1000, 0), (0, 50), (1000, 100), (1000, 159)] {
            if waiting == 1000, second == 100 { progress.written += 1000 }
            let isStalled = progress.isStalled(waiting: waiting, now: Self.at(Int64(second)))
            #expect(!isStalled, "at \(second) s")
        }
        let isStalled = progress.isStalled(waiting: 1000, now: Self.at(160))
        #expect(isStalled)
    }
}

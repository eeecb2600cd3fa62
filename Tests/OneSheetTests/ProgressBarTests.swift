import PosterTesting
import Synchronization
import Testing

@testable import onesheet

struct ProgressBarTests {
    private final class Screen: Sendable {
        let lines = Mutex<[String]>([])

        func write(_ text: String) {
            self.lines.withLock { $0.append(text) }
        }

        var text: [String] { self.lines.withLock { $0 } }
    }

    private let screen = Screen()
    private let clock = ManualClock()

    private func bar(isTerminal: Bool) -> ProgressBar {
        ProgressBar(isTerminal: isTerminal, now: self.clock.now, write: self.screen.write)
    }

    @Test func aTerminalIsDrawnOnTenTimesASecondAndTheEndIsAlwaysShown() {
        var bar = self.bar(isTerminal: true)
        for done in 1...100 {
            self.clock.advance(by: .milliseconds(25))
            bar.show(done: done, total: 100, note: "sample:a\u{1B}[2J")
        }
        bar.finish()
        #expect(self.screen.text.count == 27)
        #expect(self.screen.text.first == "\r\u{1B}[K························ 1/100 sample:a?[2J")
        #expect(self.screen.text.dropLast().last == "\r\u{1B}[K████████████████████████ 100/100 sample:a?[2J")
        #expect(self.screen.text.last == "\r\u{1B}[K")
    }

    @Test func aLogGetsALineATenth() {
        var bar = self.bar(isTerminal: false)
        bar.show(done: 0, total: 200)
        for done in 1...200 { bar.show(done: done, total: 200) }
        bar.finish()
        #expect(self.screen.text == (1...10).map { "\($0 * 20)/200\n" })
    }

    @Test func withoutATotalALogGetsALineEachTimeItIsTwiceAsMuch() {
        var bar = self.bar(isTerminal: false)
        for done in 0...100 { bar.show(done: done, total: nil, note: "posters") }
        #expect(self.screen.text == [1, 2, 4, 8, 16, 32, 64].map { "\($0) posters\n" })
        // The total becomes known.
        bar.show(done: 101, total: 1000)
        #expect(self.screen.text.last == "101/1000\n")
    }

    @Test("odd numbers break nothing", arguments: [(0, 0), (5, 3), (-1, 10), (Int.max, Int.max), (3, -1)])
    func odd(done: Int, total: Int) {
        for isTerminal in [true, false] {
            var bar = self.bar(isTerminal: isTerminal)
            bar.show(done: done, total: total)
            bar.show(done: done, total: nil)
        }
    }
}

import Logging
import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

@Suite struct QuarantineTests {
    private let clock = ManualClock()
    private let saved = Saved()

    /// The entries saved last.
    private final class Saved: Sendable {
        let entries = Mutex<[Quarantine.Entry]?>(nil)
    }

    private func quarantine(seconds: Int64 = 100, _ entries: [Quarantine.Entry] = []) -> Quarantine {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (clock, saved) = (self.clock, self.saved)
        return Quarantine(
            seconds: seconds, entries: entries, logger: logger,
            secondsSince1970: { Int64(clock.now() / 1_000_000_000) }
        ) { entries in
            saved.entries.withLock { $0 = entries }
        }
    }

    @Test func anOriginalIsRefusedAfterItHasEndedTwoWorkers() {
        let quarantine = self.quarantine()
        let (bad, other) = (Digest(of: "bad"), Digest(of: "other"))
        quarantine.noteEnd(by: bad, reason: "the decoder trapped")
        #expect(quarantine.refusal(of: bad) == nil && self.saved.entries.withLock { $0 } == nil)
        quarantine.noteEnd(by: bad, reason: "the decoder trapped")
        #expect(
            quarantine.refusal(of: bad)
                == .badOriginal(reason: "the file is quarantined: the decoder trapped"))
        #expect(quarantine.refusal(of: other) == nil)
        #expect(quarantine.usage.count == 1 && quarantine.usage.refusals == 1)
        #expect(self.saved.entries.withLock { $0?.map(\.digest) } == [bad])
    }

    @Test func refusedOriginalsAreListedTheLatestFirst() {
        let quarantine = self.quarantine()
        for name in ["first", "second", "third"] {
            for _ in 0..<2 { quarantine.noteEnd(by: Digest(of: name), reason: "the decoder trapped") }
            self.clock.advance(by: .seconds(1))
        }
        #expect(quarantine.entries(limit: 2).map(\.digest) == [Digest(of: "third"), Digest(of: "second")])
        self.clock.advance(by: .seconds(98))
        #expect(quarantine.entries(limit: 9).map(\.digest) == [Digest(of: "third")])
    }

    @Test func anOriginalIsTriedAgainAfterTheTime() {
        let quarantine = self.quarantine()
        let bad = Digest(of: "bad")
        for _ in 0..<2 { quarantine.noteEnd(by: bad, reason: "x") }
        self.clock.advance(by: .seconds(99))
        #expect(quarantine.refusal(of: bad) != nil)
        self.clock.advance(by: .seconds(1))
        #expect(quarantine.refusal(of: bad) == nil && quarantine.usage.count == 0)
        quarantine.noteEnd(by: bad, reason: "x")
        #expect(quarantine.refusal(of: bad) == nil, "it has to end two again")
    }

    @Test func whatWasStoredIsRefusedAfterARestartUntilItsTime() {
        self.clock.advance(by: .seconds(1000))
        let (bad, old, wrong) = (Digest(of: "bad"), Digest(of: "old"), Digest(of: "wrong"))
        let quarantine = self.quarantine([
            .init(digest: bad, until: 1050, reason: "x"), .init(digest: old, until: 999, reason: "x"),
            .init(digest: wrong, until: .max, reason: "x"),
        ])
        #expect(quarantine.refusal(of: bad) != nil && quarantine.refusal(of: old) == nil)
        self.clock.advance(by: .seconds(100))
        #expect(quarantine.refusal(of: wrong) == nil, "a clock that was wrong refuses nothing for longer")
    }

    @Test func theListIsBounded() {
        let (first, last) = (Digest(of: "0"), Digest(of: "last"))
        let quarantine = self.quarantine(
            (0..<Quarantine.countLimit + 1).map { number in
                .init(digest: Digest(of: "\(number)"), until: number == 0 ? 50 : 60, reason: "x")
            })
        #expect(quarantine.usage.count == Quarantine.countLimit && quarantine.refusal(of: first) != nil)
        for _ in 0..<2 { quarantine.noteEnd(by: last, reason: "x") }
        #expect(quarantine.usage.count == Quarantine.countLimit)
        #expect(quarantine.refusal(of: first) == nil && quarantine.refusal(of: last) != nil, "the one that ends first")
    }

    @Test func withoutATimeNothingIsRefused() {
        let quarantine = self.quarantine(seconds: 0)
        for _ in 0..<5 { quarantine.noteEnd(by: Digest(of: "bad"), reason: "x") }
        #expect(quarantine.refusal(of: Digest(of: "bad")) == nil)
    }
}

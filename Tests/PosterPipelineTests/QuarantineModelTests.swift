import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

/// Compares a quarantine with a list of the ends of workers, also after restarts.
struct QuarantineModelTests {
    private struct Reference {
        var strikes: [Digest: Int] = [:]
        var entries: [Digest: Quarantine.Entry] = [:]
        var refusals = 0

        mutating func noteEnd(by digest: Digest, reason: String, until: Int64) {
            self.strikes[digest, default: 0] += 1
            guard self.strikes[digest] == 2 else { return }
            self.strikes[digest] = nil
            self.entries[digest] = .init(digest: digest, until: until, reason: reason)
        }

        func live(at now: Int64) -> Set<Quarantine.Entry> { Set(self.entries.values.filter { $0.until > now }) }
    }

    private final class Saved: Sendable {
        let entries = Mutex<[Quarantine.Entry]>([])
    }

    private static func quarantine(_ seconds: Int64, clock: ManualClock, _ saved: Saved) -> Quarantine {
        Quarantine(
            seconds: seconds, entries: saved.entries.withLock { $0 }, logger: LogRecorder().logger(),
            secondsSince1970: { Int64(clock.now() / 1_000_000_000) }
        ) { entries in
            saved.entries.withLock { $0 = entries }
        }
    }

    @Test("random ends of workers and restarts have the results of a plain list", arguments: TestSeeds.first(40))
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (clock, saved, seconds) = (ManualClock(), Saved(), Int64.random(in: 1...50, using: &random))
        var quarantine = Self.quarantine(seconds, clock: clock, saved)
        var reference = Reference()
        let digests = (0..<6).map { Digest(of: "\($0)") }
        for step in 0..<300 {
            let now = Int64(clock.now() / 1_000_000_000)
            let digest = digests.randomElement(using: &random)!
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                quarantine.noteEnd(by: digest, reason: "end \(step)")
                reference.noteEnd(by: digest, reason: "end \(step)", until: now + seconds)
            case 8..<14:
                let entry = reference.entries[digest].flatMap { $0.until > now ? $0 : nil }
                let refusal = quarantine.refusal(of: digest)
                try #require(
                    refusal == entry.map { .badOriginal(reason: "the file is quarantined: \($0.reason)") },
                    "step \(step)")
                if entry != nil { reference.refusals += 1 }
            case 14..<19: clock.advance(by: .seconds(Int.random(in: 0...20, using: &random)))
            default:
                // Only the saved entries outlive the process.
                quarantine = Self.quarantine(seconds, clock: clock, saved)
                (reference.strikes, reference.refusals) = ([:], 0)
            }
            let live = reference.live(at: Int64(clock.now() / 1_000_000_000))
            try #require(quarantine.usage == (live.count, reference.refusals), "step \(step)")
            let stored = saved.entries.withLock { Set($0) }
            try #require(live.isSubset(of: stored), "each entry is saved: step \(step)")
        }
    }

    @Test("a full quarantine has room for an entry that it renews")
    func renewal() {
        let (clock, saved) = (ManualClock(), Saved())
        let digests = (0..<Quarantine.countLimit).map { Digest(of: "\($0)") }
        saved.entries.withLock { entries in
            entries = digests.enumerated().map { .init(digest: $1, until: 50 + Int64($0), reason: "x") }
        }
        let quarantine = Self.quarantine(100_000, clock: clock, saved)
        for _ in 0..<2 { quarantine.noteEnd(by: digests[7], reason: "again") }
        #expect(quarantine.usage.count == Quarantine.countLimit && quarantine.refusal(of: digests[0]) != nil)
    }

    @Test("a long reason is cut between Unicode scalars", arguments: ["é", "€", "🎬", "e\u{301}"])
    func reason(character: String) throws {
        for padding in 0..<4 {
            let (clock, saved) = (ManualClock(), Saved())
            let quarantine = Self.quarantine(10, clock: clock, saved)
            let reason = String(repeating: "x", count: padding) + String(repeating: character, count: 300)
            for _ in 0..<2 { quarantine.noteEnd(by: Digest(of: "a"), reason: reason) }
            let stored = try #require(saved.entries.withLock { $0.first?.reason })
            #expect(stored.utf8.count <= Quarantine.reasonLimit && stored.utf8.count > Quarantine.reasonLimit - 4)
            #expect(reason.utf8.starts(with: stored.utf8))
        }
    }
}

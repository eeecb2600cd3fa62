import PosterTesting
import Testing

@testable import PosterPipeline

struct ArrivalPaceTests {
    private static let millisecond: UInt64 = 1_000_000

    /// The verdicts on pieces, given by their KiB and the milliseconds at which they arrive.
    private static func verdicts(_ pieces: [(Int, UInt64)], of total: Int = 2048) -> [ArrivalPace.Verdict] {
        var pace = ArrivalPace(byteCount: total << 10, start: 5 * Self.millisecond)
        return pieces.map { count, time in pace.receive(count << 10, at: (5 + time) * Self.millisecond) }
    }

    @Test("an original that takes some time, but not long, is worth decoding while it arrives")
    func steady() {
        #expect(Self.verdicts([(20, 2), (20, 4), (30, 7), (100, 17)]) == [.open, .open, .fits, .fits])
    }

    @Test("one that is there at once is not, and neither are its last bytes")
    func fast() {
        #expect(Self.verdicts([(64, 0), (640, 2), (1344, 6)]) == [.open, .open, .open])
        #expect(Self.verdicts([(1000, 100), (1000, 200), (48, 205)]) == [.fits, .open, .open])
    }

    @Test("a slow one is waited for neither")
    func slow() {
        #expect(Self.verdicts([(1, 50), (1, 99), (1, 100)]) == [.open, .open, .tooSlow])
        #expect(Self.verdicts([(80, 50), (1, 400), (1, 900)]) == [.fits, .tooSlow, .tooSlow])
    }

    @Test("a pause ends it")
    func pause() {
        #expect(Self.verdicts([(1024, 100), (512, 600), (256, 1101)]) == [.fits, .fits, .tooSlow])
        let pace = ArrivalPace(byteCount: 1, start: 0)
        #expect(!pace.isStalled(at: 500 * Self.millisecond) && pace.isStalled(at: 501 * Self.millisecond))
    }
}

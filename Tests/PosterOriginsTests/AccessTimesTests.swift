import PosterPipeline
import Testing

@testable import PosterOrigins

@Suite struct AccessTimesTests {
    private let key = Digest(of: "mine:heat")

    @Test func eachMomentIsLaterThanTheOneBefore() {
        let uses = AccessTimes(after: 5_000_000, secondsSince1970: { 1000 })
        let moments = (0..<3).map { _ in uses.moment() }
        #expect(moments == [5_000_001, 5_000_002, 5_000_003], "the clock was set back, but the order holds")
        let later = AccessTimes(after: 5_000_000, secondsSince1970: { 6000 })
        let moment = later.moment()
        #expect(moment == 6_000_000)
    }

    @Test func onlyTheLastUseOfEachIsKept() {
        let uses = AccessTimes(after: 0, secondsSince1970: { 1 })
        _ = uses.note(self.key)
        _ = uses.note(self.key)
        #expect(uses.has(self.key))
        let taken = uses.take()
        #expect(taken == [AccessTimes.Use(key: self.key, moment: 1001)])
        #expect(!uses.has(self.key))
    }

    @Test func noMoreAreKeptThanTheLimit() {
        let uses = AccessTimes(after: 0, secondsSince1970: { 1 })
        var isDue = 0
        for number in 0..<AccessTimes.limit + 10 where uses.note(Digest(of: "\(number)")) { isDue += 1 }
        #expect(isDue == 1)
        let count = uses.take().count
        #expect(count == AccessTimes.limit)
    }

    @Test func aDamagedMomentDoesNotStopTheClock() {
        let uses = AccessTimes(after: .max, secondsSince1970: { 1 })
        let moment = uses.moment()
        #expect(moment == 1000)
    }
}

import Flights
import PosterCodec
import Testing

@testable import PosterPipeline

struct WantedTargetsTests {
    private func target(_ width: Int) -> RenderTarget { RenderTarget(width: width, format: .jpeg) }

    @Test("the most urgent targets come first, each once, until no request waits for it")
    func order() throws {
        var wanted = WantedTargets()
        let (id, other) = (try PosterID(key: "heat"), try PosterID(key: "ronin"))
        for (width, level) in [(1, Urgency.Level.warming), (2, .interactive), (3, .revalidation), (1, .interactive)] {
            #expect((wanted.announce(self.target(width), of: id, level: level)) == true)
        }
        #expect(wanted.targets(of: id).map(\.target.width) == [1, 2, 3])
        wanted.withdraw(self.target(1), of: id, level: .interactive)
        #expect(wanted.targets(of: id).map(\.level) == [.interactive, .revalidation, .warming])
        #expect(wanted.contains(self.target(1), of: id) && wanted.targets(of: other).isEmpty)
        #expect(wanted.isWanted(id) && !wanted.isWanted(other))
        wanted.withdraw(self.target(1), of: id, level: .warming)
        #expect(!wanted.contains(self.target(1), of: id))
        wanted.withdraw(self.target(2), of: id, level: .interactive)
        wanted.withdraw(self.target(3), of: id, level: .revalidation)
        #expect(wanted.isEmpty && !wanted.isWanted(id))
    }

    @Test("a poster in thousands of sizes is noted in a limited number of them")
    func limit() throws {
        var wanted = WantedTargets()
        let id = try PosterID(key: "heat")
        #expect(WantedTargets.limitPerPoster == 256)
        for width in 1...WantedTargets.limitPerPoster {
            #expect((wanted.announce(self.target(width), of: id, level: .interactive)) == true)
        }
        #expect((wanted.announce(self.target(4000), of: id, level: .interactive)) == false)
        #expect((wanted.announce(self.target(1), of: id, level: .interactive)) == true, "it is noted already")
        #expect(wanted.targets(of: id).count == RenderJob.targetLimit)
    }
}

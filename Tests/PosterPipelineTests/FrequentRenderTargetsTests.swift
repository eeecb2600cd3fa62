import PosterCodec
import Testing

@testable import PosterPipeline

@Suite struct FrequentRenderTargetsTests {
    private let targets = FrequentRenderTargets()

    private func note(_ width: Int?, _ format: OutputFormat = .webp, posters: some Sequence<Int>) throws {
        let target =
            width.map { RenderTarget(width: $0, format: format) } ?? RenderTarget(height: 300, format: format)
        for poster in posters { self.targets.note(target, of: try PosterID(key: "\(poster)")) }
    }

    private func recent(besides poster: Int) throws -> [Int?] {
        self.targets.recent(besides: try PosterID(key: "\(poster)")).map(\.width)
    }

    @Test("what is requested most is first, and what is old is forgotten")
    func ages() throws {
        try self.note(342, posters: 0..<3)
        try self.note(92, posters: [0])
        try self.note(500, posters: [0])
        #expect(self.targets.top(2).map(\.width) == [342, 92])
        for width in 0..<(2 * FrequentRenderTargets.limit) { try self.note(600 + width, .jpeg, posters: [0]) }
        #expect(self.targets.top(.max).count == FrequentRenderTargets.limit)
        #expect(self.targets.top(1).map(\.width) == [342])
        try self.note(185, posters: 0..<(4 * FrequentRenderTargets.period))
        #expect(self.targets.top(.max).map(\.width) == [185])
        #expect(self.targets.top(-1).isEmpty)
    }

    @Test func targetsWithBadgesAreNotCounted() throws {
        let badges = Badges([.init(text: "8.4", colour: .white)])
        for poster in 0..<10 {
            self.targets.note(
                RenderTarget(width: 342, format: .webp, badges: badges), of: try PosterID(key: "\(poster)"))
        }
        #expect(self.targets.top(.max).isEmpty)
    }

    @Test("a poster counts once for a target, and again after two others")
    func countsPosters() throws {
        for width in [92, 154] { try self.note(width, posters: [1]) }
        try self.note(92, posters: [2, 1, 2, 2, 1])
        try self.note(154, posters: [1, 1, 1, 1, 1, 1])
        #expect(self.targets.top(1).map(\.width) == [92])
        // 92 counts two posters and 154 one, however often they were requested.
        try self.note(342, posters: [1, 2, 3])
        #expect(self.targets.top(3).map(\.width) == [342, 92, 154])
        try self.note(92, posters: [3, 1])
        #expect(self.targets.top(1).map(\.width) == [92])
    }

    @Test("one poster in very many sizes leaves the targets of others where they are")
    func resistsSweeps() throws {
        try self.note(185, posters: 0..<50)
        try self.note(342, posters: 0..<50)
        for width in 1...500 { try self.note(1000 + width, posters: [7]) }
        #expect(self.targets.top(2).map(\.width) == [185, 342])
        #expect(try self.recent(besides: 8) == [185, 342])
        #expect(self.targets.ladder == [185, 342])
    }

    @Test("recent is what other posters were requested at, in a fiftieth of the requests or more")
    func isRecent() throws {
        try self.note(92, posters: [1])
        #expect(try self.recent(besides: 2).isEmpty, "one request is no habit")
        try self.note(92, posters: [2])
        #expect(try self.recent(besides: 2) == [92] && self.recent(besides: 3) == [92])
        try self.note(154, posters: 10..<500)
        #expect(try self.recent(besides: 3) == [154])
        try self.note(92, posters: 20..<30)
        #expect(try self.recent(besides: 3) == [154, 92])
    }

    @Test("a target that only one poster was requested at is recent for no other reason than that")
    func needsOthers() throws {
        try self.note(92, posters: [1, 2, 3])
        // The last two counted posters are others.
        #expect(try self.recent(besides: 1) == [92])
        #expect(try self.recent(besides: 3) == [92])
    }

    @Test("the ladder has the usual widths until requests show others")
    func ladder() throws {
        #expect(self.targets.ladder == [92, 154, 185, 342, 500, 780])
        try self.note(300, posters: 0..<(FrequentRenderTargets.ladderRequests - 2))
        #expect(self.targets.ladder == FrequentRenderTargets.defaultLadder)
        try self.note(150, .jpeg, posters: 0..<2)
        #expect(self.targets.ladder == [150, 300])
        try self.note(300, posters: 1000..<1200)
        #expect(self.targets.ladder == [300], "two of 264 requests are no habit")
        try self.note(150, .png, posters: 0..<9)
        #expect(self.targets.ladder == [150, 300], "formats of one width count together")
    }

    @Test("requests by height have no width, and the usual ones stay")
    func heights() throws {
        try self.note(nil, posters: 0..<FrequentRenderTargets.ladderRequests)
        #expect(self.targets.ladder == FrequentRenderTargets.defaultLadder)
    }
}

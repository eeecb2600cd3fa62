import HTTPSemantics
import PosterCodec
import PosterPipeline
import Testing

@testable import PosterAPI

struct WidthLadderTests {
    private func parser(snaps: Bool, heights: [Int] = [], hints: Bool = false) -> PictureRequestParser {
        PictureRequestParser {
            $0.ladder = WidthLadder(rungs: [92, 154, 400], heights: heights, snaps: snaps)
            $0.usesHints = hints
        }
    }

    @Test func hasBounds() {
        #expect(WidthLadder(rungs: []) == nil && WidthLadder(rungs: [15]) == nil && WidthLadder(rungs: [4097]) == nil)
        #expect(WidthLadder(rungs: [92, 92]) == nil && WidthLadder(rungs: [154, 92]) == nil)
        #expect(WidthLadder(rungs: Array(16..<80)) != nil && WidthLadder(rungs: Array(16..<81)) == nil)
        #expect(WidthLadder(rungs: [92], heights: [15]) == nil && WidthLadder(rungs: [92], heights: [9, 9]) == nil)
        #expect(WidthLadder(rungs: [92], heights: [16, 4096]) != nil)
    }

    @Test(
        "a width off the ladder is refused with its rungs",
        arguments: ["w=93", "w=92&dpr=2", "w=93&fit=cover&h=92", "w=92&h=138", "h=333", "w=401", "w=16"])
    func refuses(query: String) throws {
        for start in ["/poster/x?", "/_next/image?url=/poster/x&"] where start.hasPrefix("/poster") || query.count < 5 {
            let problem = self.parser(snaps: false).problem(start + query)
            #expect(problem?.kind == .invalidParameter)
            #expect(problem?.detail.contains("one of 92, 154, 400") == true, "\(problem?.detail ?? "")")
        }
        #expect(self.parser(snaps: false).problem("/t/p/w93/a.jpg")?.detail.contains("92, 154, 400") == true)
    }

    @Test(
        "takes what is on it",
        arguments: [
            ("/poster/x?w=92", 92, nil), ("/poster/x?w=200&dpr=2", 400, nil), ("/poster/x?w=77&dpr=2", 154, nil),
            ("/t/p/w154/a.jpg", 154, nil),
            ("/t/p/w342/a.jpg", 342, nil), ("/t/p/h632/a.jpg", nil, 632),
            ("/_next/image?url=/poster/x&w=400", 400, nil),
        ] as [(String, Int?, Int?)])
    func takes(target: String, width: Int?, height: Int?) throws {
        let wanted = try #require(try self.parser(snaps: false).parse(target)?.wanted)
        #expect(wanted.width == width && wanted.height == height)
    }

    @Test(
        "a picture without a side has the largest rung's width",
        arguments: [
            "/poster/x?format=png", "/poster/x?q=37", "/poster/x?fit=cover", "/poster/x?fit=contain&position=top",
            "/poster/x?dpr=2", "/poster/x?bg=ff0000", "/poster/x?format=webp&v=0123456789abcdef",
            "/proxy?url=https://good.example/a.jpg&format=png", "/proxy?url=https://good.example/a.jpg&q=37",
        ])
    func boundsWhatHasNoSide(target: String) throws {
        for (snaps, heights, hints) in [(false, [], false), (true, [600], true)] as [(Bool, [Int], Bool)] {
            let parser = try PictureRequestParser {
                [ladder = self.parser(snaps: snaps, heights: heights).policy.ladder] in
                $0.ladder = ladder
                $0.usesHints = hints
                $0.allowedURLs = [try URLPrefix("https://good.example")]
            }
            for hints in [ClientHints(), ClientHints(ratio: "3"), ClientHints(saves: true)] {
                let wanted = try #require(try parser.parse(target, hints: hints)?.wanted)
                #expect(wanted.width == 400 && wanted.height == nil, "\(hints)")
            }
        }
        let parser = try PictureRequestParser { $0.allowedURLs = [try URLPrefix("https://good.example")] }
        #expect(try parser.parse(target)?.wanted?.width == nil, "without a ladder nothing changes")
    }

    @Test func theOriginalStaysTheOriginal() throws {
        // It needs no render, and is one representation whatever the ladder.
        for target in ["/poster/x", "/poster/x?v=0123456789abcdef", "/t/p/original/a.jpg"] {
            #expect(try self.parser(snaps: false).parse(target)?.request.rendition == .original, "\(target)")
        }
    }

    @Test(
        "snaps up to the next rung, and keeps the box's shape",
        arguments: [
            ("/poster/x?w=16", 92, nil), ("/poster/x?w=93", 154, nil), ("/poster/x?w=92", 92, nil),
            ("/poster/x?w=2000", 400, nil), ("/poster/x?w=200&h=300&fit=cover", 400, 600),
            ("/poster/x?w=2000&h=3000&fit=cover", 400, 600), ("/poster/x?w=16&h=4096", 92, 900),
            ("/poster/x?w=92&h=139", 92, 600), ("/poster/x?h=138", nil, 138), ("/poster/x?h=301&dpr=2", nil, 900),
            ("/t/p/w200/a.jpg", 400, nil), ("/t/p/w342/a.jpg", 342, nil), ("/t/p/h200/a.jpg", nil, 600),
            ("/_next/image?url=/poster/x&w=3840", 400, nil),
        ] as [(String, Int?, Int?)])
    func snaps(target: String, width: Int?, height: Int?) throws {
        let wanted = try #require(try self.parser(snaps: true, heights: [138, 600, 900]).parse(target)?.wanted)
        #expect(wanted.width == width && wanted.height == height)
    }

    @Test func heightsAreThoseThatAreNamed() throws {
        let parser = self.parser(snaps: false, heights: [138, 600])
        for (target, width, height) in [
            ("/poster/x?h=600", nil, 600), ("/poster/x?w=92&h=138&fit=cover", 92, 138), ("/t/p/h138/a.jpg", nil, 138),
            ("/t/p/h632/a.jpg", nil, 632), ("/poster/x?h=69&dpr=2", nil, 138),
        ] as [(String, Int?, Int?)] {
            let wanted = try #require(try parser.parse(target)?.wanted, "\(target)")
            #expect(wanted.width == width && wanted.height == height, "\(target)")
        }
        for target in ["/poster/x?h=601", "/poster/x?w=92&h=139", "/t/p/h200/a.jpg", "/poster/x?h=138&dpr=2"] {
            let problem = parser.problem(target)
            #expect(
                problem?.kind == .invalidParameter && problem?.detail.contains("one of 138, 600") == true, "\(target)")
        }
        for snaps in [false, true] {
            for target in ["/poster/x?h=138", "/poster/x?w=92&h=138", "/t/p/h138/a.jpg"] {
                let problem = self.parser(snaps: snaps).problem(target)
                #expect(problem?.kind == .invalidParameter, "\(target)")
                #expect(problem?.detail.contains("this server accepts no height") == true, "\(target)")
            }
            #expect(try self.parser(snaps: snaps).parse("/t/p/h632/a.jpg")?.wanted?.height == 632)
        }
    }

    @Test func hintsGetRungsAndNeverAnError() throws {
        let parser = self.parser(snaps: false, hints: true)
        for (target, hints, width) in [
            ("/poster/x?w=92", ClientHints(ratio: "1.25"), 154), ("/poster/x?w=154", ClientHints(ratio: "3"), 400),
            ("/poster/x", ClientHints(width: "93"), 154), ("/poster/x", ClientHints(width: "4000"), 400),
        ] {
            #expect(try parser.parse(target, hints: hints)?.wanted?.width == width, "\(target)")
        }
        let heights = self.parser(snaps: false, heights: [138, 600], hints: true)
        for (ratio, height) in [("1", 138), ("1.25", 600), ("4", 600)] {
            #expect(try heights.parse("/poster/x?h=138", hints: ClientHints(ratio: ratio))?.wanted?.height == height)
        }
        #expect(parser.problem("/poster/x?w=93")?.kind == .invalidParameter)
    }
}

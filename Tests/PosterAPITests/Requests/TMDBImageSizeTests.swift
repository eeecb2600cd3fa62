import HTTPSemantics
import PosterCodec
import Testing

@testable import PosterAPI

struct TMDBImageSizeTests {
    private static let duotone = RenderTarget.Effect.duotone(
        dark: RenderTarget.Colour(red: 0x1F, green: 0x29, blue: 0x37),
        light: RenderTarget.Colour(red: 0xA7, green: 0x8B, blue: 0xFA))

    struct Case: Sendable, CustomTestStringConvertible {
        let size: String
        var width: Int?
        var height: Int?
        var position = RenderTarget.Position.center
        var effect: RenderTarget.Effect?

        var testDescription: String { self.size }
    }

    @Test(
        "all of TMDB's sizes are read",
        arguments: [
            Case(size: "w342", width: 342), Case(size: "h632", height: 632),
            Case(size: "w300_and_h450", width: 300, height: 450),
            // Seerr's sizes.
            Case(size: "w600_and_h900_bestv2", width: 600, height: 900, position: .entropy),
            Case(size: "w300_and_h450_face", width: 300, height: 450, position: .attention),
            Case(size: "w1920_and_h800_multi_faces", width: 1920, height: 800, position: .attention),
            Case(size: "w1440_and_h320_multi_faces", width: 1440, height: 320, position: .attention),
            Case(size: "w780_filter(duotone,1F2937,A78BFA)", width: 780, effect: Self.duotone),
            Case(size: "w780_filter%28duotone%2C1f2937%2Ca78bfa%29", width: 780, effect: Self.duotone),
            Case(
                size: "w1920_and_h600_multi_faces_filter(duotone,1F2937,A78BFA)", width: 1920, height: 600,
                position: .attention, effect: Self.duotone),
            Case(size: "w1280_filter(blur)", width: 1280, effect: .blur),
            Case(size: "original_filter(blur)", effect: .blur),
            // Unknown suffixes are ignored.
            Case(size: "w342_smart", width: 342), Case(size: "w342_filter(sepia)", width: 342),
            Case(size: "w342_filter(duotone,red,blue)", width: 342), Case(size: "w342_filter(blur", width: 342),
            Case(size: "w342_filter(blur)x_face", width: 342, position: .attention, effect: .blur),
            Case(size: "w342_facet_face", width: 342, position: .attention), Case(size: "w342___", width: 342),
            Case(size: "h632_and_h90", height: 632), Case(size: "original_x"), Case(size: "original"),
        ])
    func reads(_ expected: Case) throws {
        let size = try TMDBImageSize(expected.size[...])
        #expect((size.width, size.height) == (expected.width, expected.height))
        #expect(size.position == expected.position && size.effect == expected.effect)
        #expect(size.fit == (expected.width != nil && expected.height != nil ? .cover : .contain))
        #expect(size.isOriginal == (expected.width == nil && expected.height == nil && expected.effect == nil))
    }

    @Test(
        "other sizes are refused with the form that they have",
        arguments: [
            "", "w", "342", "w15", "w4097", "w0342", "W342", "w342_and_h", "w342_and_h5", "w342_and_h900x", "_face",
            "originals", "w%zz", "w342\(String(repeating: "_", count: 400))",
        ])
    func refuses(size: String) {
        let problem = #expect(throws: Problem.self) { try TMDBImageSize(size[...]) }
        #expect(problem?.detail.contains("the size must be original") == true)
    }

    @Test("the path's target is that of the size")
    func isTheTarget() throws {
        let parser = PictureRequestParser()
        let wanted = try #require(try parser.parse("/t/p/w600_and_h900_bestv2/a.jpg")?.wanted)
        #expect(
            wanted
                == RenderTarget(width: 600, height: 900, fit: .cover, position: .entropy, format: .jpeg))
        let blurred = try #require(try parser.parse("/t/p/w1280_filter(blur)/a.jpg")?.wanted)
        #expect(blurred == RenderTarget(width: 1280, format: .jpeg, effect: .blur))
        #expect(try #require(try parser.parse("/t/p/original_x/a.jpg")).wanted == nil)
    }

    @Test("TMDB's own boxes are served on every ladder, others on its rungs")
    func isOnTheLadder() throws {
        let ladder = try #require(WidthLadder(rungs: [100, 200, 400], heights: [150, 300, 600], snaps: true))
        for (text, width, height) in [
            ("w600_and_h900_bestv2", 600, 900), ("w1920_and_h800_multi_faces", 1920, 800), ("w342", 342, nil),
            ("w343", 400, nil), ("h632", nil, 632), ("h200", nil, 300), ("w150_and_h200", 200, 300),
            ("original_filter(blur)", 400, nil),
        ] as [(String, Int?, Int?)] {
            let box = try TMDBImageSize(text[...]).box(on: ladder)
            #expect((box.width, box.height) == (width, height), "\(text)")
        }
        let strict = try #require(WidthLadder(rungs: [100, 200], heights: [], snaps: false))
        #expect(throws: Problem.self) { try TMDBImageSize("w150_and_h200").box(on: strict) }
    }
}

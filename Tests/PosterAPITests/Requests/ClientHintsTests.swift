import PosterCodec
import Testing

@testable import PosterAPI

struct ClientHintsTests {
    private let parser: PictureRequestParser = PictureRequestParser { $0.usesHints = true }

    @Test(
        "reads well-formed hints only",
        arguments: [
            ("2", "2"), ("2.0", "2"), (" 1.5\t", "1.5"), ("2.625", "2.625"), ("0.5", nil), ("5", nil), ("-1", nil),
            ("2,3", nil), ("2;a", nil), ("", nil), ("1.0000001", nil), ("two", nil),
        ] as [(String, String?)])
    func ratios(text: String, ratio: String?) {
        #expect(ClientHints(ratio: text).ratio == ratio.flatMap(DevicePixelRatio.init))
    }

    @Test(
        "rounds widths up",
        arguments: [
            ("1", 64), ("64", 64), ("65", 128), ("368", 384), ("4096", 4096), ("4090", 4096), ("999999", 4096),
            ("0", nil), ("-5", nil), ("3.5", nil), ("", nil), ("99999999999999999999", nil), ("+3", nil),
        ] as [(String, Int?)])
    func widths(text: String, width: Int?) {
        #expect(ClientHints(width: text).pictureWidth(ladder: nil) == width)
    }

    @Test(
        "Save-Data is read",
        arguments: [("on", true), (" On ", true), ("off", false), ("?1", false), ("", false), ("on, on", false)])
    func savesData(text: String, saves: Bool) {
        #expect(ClientHints(ratio: nil, width: nil, saveData: text).savesData == saves)
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let target: String
        let hints: ClientHints
        let wanted: RenderTarget?
        let vary: String?

        var testDescription: String { "\(self.target) \(self.hints)" }
    }

    private static let all: String = "Accept, Sec-CH-DPR, Sec-CH-Width, Save-Data"
    private static let savingQuality: Quality = .fixed(ClientHints.savingQuality)

    private static let cases: [Case] = [
        Case(target: "/poster/x", hints: ClientHints(), wanted: nil, vary: "Sec-CH-Width"),
        Case(target: "/poster/x", hints: ClientHints(ratio: "2", saves: true), wanted: nil, vary: "Sec-CH-Width"),
        Case(
            target: "/poster/x", hints: ClientHints(width: "300"), wanted: RenderTarget(width: 320, format: .jpeg),
            vary: Self.all),
        Case(
            target: "/poster/x", hints: ClientHints(ratio: "2", width: "600", saves: true),
            wanted: RenderTarget(width: 320, format: .jpeg, quality: Self.savingQuality), vary: Self.all),
        Case(
            target: "/poster/x?format=png", hints: ClientHints(width: "300", saves: true),
            wanted: RenderTarget(width: 320, format: .png), vary: "Sec-CH-DPR, Sec-CH-Width, Save-Data"),
        Case(
            target: "/poster/x?w=100", hints: ClientHints(ratio: "2", width: "777"),
            wanted: RenderTarget(width: 200, format: .jpeg), vary: "Accept, Sec-CH-DPR, Save-Data"),
        Case(
            target: "/poster/x?w=100", hints: ClientHints(ratio: "2", saves: true),
            wanted: RenderTarget(width: 100, format: .jpeg, quality: Self.savingQuality),
            vary: "Accept, Sec-CH-DPR, Save-Data"),
        Case(
            target: "/poster/x?w=100&dpr=1.5&q=70&format=webp", hints: ClientHints(ratio: "3", saves: true),
            wanted: RenderTarget(width: 150, format: .webp, quality: 70), vary: nil),
        Case(
            target: "/poster/x?h=100&w=100&fit=cover&q=70&format=webp", hints: ClientHints(ratio: "3"),
            wanted: RenderTarget(width: 300, height: 300, fit: .cover, format: .webp, quality: 70),
            vary: "Sec-CH-DPR, Save-Data"),
        Case(
            target: "/poster/x?w=3000&format=png", hints: ClientHints(ratio: "2"),
            wanted: RenderTarget(width: 3000, format: .png), vary: "Sec-CH-DPR, Save-Data"),
        Case(
            target: "/t/p/w342/a.jpg", hints: ClientHints(ratio: "2", width: "9", saves: true),
            wanted: RenderTarget(width: 342, format: .jpeg, quality: Self.savingQuality), vary: "Accept, Save-Data"),
        Case(target: "/t/p/original/a.jpg", hints: ClientHints(width: "300", saves: true), wanted: nil, vary: nil),
        Case(
            target: "/_next/image?url=/poster/x&w=640&q=75", hints: ClientHints(ratio: "2", saves: true),
            wanted: RenderTarget(width: 640, format: .jpeg, quality: 75), vary: "Accept"),
    ]

    @Test("the URL wins, and Vary names what could have mattered", arguments: Self.cases)
    private func answers(_ each: Case) throws {
        let query = try #require(try self.parser.parse(each.target, hints: each.hints))
        #expect(query.wanted == each.wanted)
        #expect(query.vary.fieldValue == each.vary)
        #expect(query.offersHints)
        // A request without hints gets the same `Vary`; otherwise caches would not vary.
        let silent = try #require(try self.parser.parse(each.target))
        if silent.wanted != nil || each.wanted == nil { #expect(silent.vary == query.vary) }
    }

    @Test(
        "a ratio of a hint is rounded up to one of few, and one in the URL is not",
        arguments: [
            ("1", 100), ("1.001", 150), ("1.5", 150), ("1.503", 200), ("2", 200), ("2.25", 300), ("3.999", 400),
            ("4", 400),
        ])
    func ratioSteps(ratio: String, width: Int) throws {
        let hinted = try self.parser.parse("/poster/x?w=100", hints: ClientHints(ratio: ratio))
        #expect(hinted?.wanted?.width == width)
        let named = try self.parser.parse("/poster/x?w=100&dpr=1.503", hints: ClientHints(ratio: ratio))
        #expect(named?.wanted?.width == 150)
    }

    @Test func withoutThemNothingChanges() throws {
        let hints = ClientHints(ratio: "2", width: "300", saves: true)
        for target in ["/poster/x", "/poster/x?w=92", "/t/p/w92/a.jpg", "/_next/image?url=/poster/x&w=92"] {
            let silent = try #require(try PictureRequestParser().parse(target))
            #expect(try PictureRequestParser().parse(target, hints: hints) == silent)
            #expect(!silent.offersHints && !silent.vary.hasHints)
        }
    }
}

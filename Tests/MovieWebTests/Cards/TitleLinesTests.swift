import Testing

@testable import MovieWeb

struct TitleLinesTests {
    @Test(
        "lines break where the script allows it",
        arguments: [
            ("Everything Everywhere All at Once", ["Everything", "Everywhere", "All at Once"]),
            ("살인의 추억", ["살인의", "추억"]),
            ("千と千尋の神隠し", ["千と千尋の", "神隠し"]),
            ("الطريق إلى المدينة", ["الطريق", "إلى", "المدينة"]),
            ("  M \n", ["M"]),
        ])
    func breaks(title: String, lines: [String]) {
        #expect(TitleLines(title).lines == lines)
    }

    @Test func noLineBeginsWithClosingPunctuationOrASmallKana() {
        let lines = TitleLines("ああああ、ああああー、「ああああ」ああっあ！").lines
        #expect(lines.count > 2 && lines.joined() == "ああああ、ああああー、「ああああ」ああっあ！")
        for line in lines {
            #expect(line.first.map { "、ー」っ！".contains($0) } == false && line.last != "「", "\(line)")
        }
    }

    @Test func wordsOfKoreanAreWhole() {
        let title = "아주 긴 제목의 영화가 있는데 그 제목은 정말로 깁니다"
        #expect(TitleLines(title).lines.joined(separator: " ") == title)
    }

    @Test func aShortTitleIsLargerThanALongOne() {
        #expect(TitleLines("M").fontSize > TitleLines("How I Learned to Stop Worrying and Love the Bomb").fontSize)
    }

    @Test func aWordWiderThanTheCardIsSplitInTheSmallestSize() {
        let lines = TitleLines("Supercalifragilisticexpialidocious")
        #expect(lines.lines.count > 1 && lines.lines.joined() == "Supercalifragilisticexpialidocious")
        #expect(lines.fontSize == TitleLines(String(repeating: "A", count: 300)).fontSize)
    }

    @Test(
        "a long title is cut off with an ellipsis, within the card",
        arguments: [
            String(repeating: "Return of the ", count: 9), String(repeating: "긴 제목 ", count: 40),
            String(repeating: "長い題名", count: 40), String(repeating: "A", count: 300),
            String(repeating: "👩‍👩‍👧‍👦", count: 120),
        ])
    func cutsOff(title: String) throws {
        let lines = TitleLines(title)
        #expect(try #require(lines.lines.last).hasSuffix("…"))
        #expect(lines.lines.count * lines.lineHeight <= TitleLines.height)
        let words = lines.lines.joined().filter { !$0.isWhitespace }.dropLast()
        #expect(title.filter { !$0.isWhitespace }.hasPrefix(words))
    }

    @Test func aTitleWithoutCharactersHasNoLines() {
        #expect(TitleLines("").lines.isEmpty && TitleLines(" \u{3000}").lines.isEmpty)
    }
}

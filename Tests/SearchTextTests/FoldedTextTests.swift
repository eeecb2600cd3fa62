import Testing

@testable import SearchText

struct FoldedTextTests {
    private func folded(_ text: String) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: FoldedText(text).scalars)
        return String(view)
    }

    @Test(arguments: [
        ("Häxan", "haxan"), ("ＨＡＸＡＮ", "haxan"), ("Safety Last!", "safetylast"), ("キング・コング", "キングコング"),
        ("ｺﾞｼﾞﾗ", "ゴジラ"), ("が", "ガ"), ("か\u{3099}", "ガ"), ("きんぐこんぐ", "キングコング"), ("ぁゖゝゞ", "ァヶヽヾ"), ("ゎー", "ヮー"),
        ("Броненосец «Потёмкин»", "броненосецпотемкин"),
        ("Franz Gnaß", "franzgnass"), ("Ⅶ", "vii"), ("Pandora’s", "pandoras"), ("동경 이야기", "동경이야기"),
        ("\u{1103}\u{1169}\u{11BC}", "동"), ("!!!", ""), ("🎬", ""), ("Sō", "so"), ("m\u{0301}\u{0301}", "m"),
    ])
    func foldsWhatPeopleWriteDifferently(text: String, expected: String) {
        #expect(self.folded(text) == expected)
    }

    @Test func wordsAreApartWhereTheyWere() {
        #expect(FoldedText("Dr. Caligari's  Cabinet-of 7").words.map(\.scalars.count) == [2, 9, 7, 2, 1])
        #expect(FoldedText("D.W. Griffith").words.count == 2)
        #expect(FoldedText("  ").words.isEmpty)
    }

    @Test func isNeverLongerThanItsLimit() {
        #expect(FoldedText(String(repeating: "ﷺ", count: 10_000)).scalars.count <= FoldedText.scalarLimit + 4)
        #expect(FoldedText("a" + String(repeating: "\u{0301}", count: 100_000)).scalars.count == 1)
    }
}
